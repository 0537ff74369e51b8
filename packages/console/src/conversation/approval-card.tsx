import type { ToolCall } from '@portico/api';
import { Hand } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../connectors/tool-details.tsx';
import { ToolHints } from '../connectors/tool-hints.tsx';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { TextAreaField } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';
import { showHidden, showHiddenInLines } from '../ui/visible-text.ts';
import type { CallCardProps } from './call-card-props.ts';

/** A card that appears under a pressed key or button must not take it, in milliseconds. */
const GUARD_MS = 500;

/** Asks whether a call may run, with everything it would do in full view. Never takes the focus. */
export function ApprovalCard({ conversationId, call }: CallCardProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const titleId = useId();
  const guarded = useGuard(call.id);
  const action = useAction();
  const [message, setMessage] = useState<string>();
  const decide = (decision: 'allow' | 'deny'): void => {
    if (guarded) return;
    const said = message?.trim() ?? '';
    const more = decision === 'deny' && said !== '' ? { message: said } : {};
    void action.run(() => api.decideCall({ conversationId, callId: call.id }, { decision, ...more }));
  };
  return (
    <section
      aria-labelledby={titleId}
      className="overflow-hidden rounded-2xl border border-warn-line bg-raised shadow-card"
    >
      <div className="flex items-center gap-3 border-b border-warn-line bg-warn-soft px-3.5 py-2.5">
        <Hand aria-hidden className="size-4.5 shrink-0 text-warn" />
        <h3 id={titleId} className="text-sm font-medium">
          {t('approval.title', { tool: call.title ?? call.tool, connector: call.connectorName })}
        </h3>
      </div>
      <div className="flex flex-col gap-4 px-3.5 py-3.5">
        <ApprovalFacts call={call} />
        {message === undefined ? null : (
          <TextAreaField
            label={t('approval.message')}
            hint={t('approval.messageHint')}
            rows={2}
            maxLength={4096}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        )}
        <ActionError error={action.error} />
        <div className="flex flex-wrap items-center gap-2">
          <Button look="primary" busy={action.busy} aria-disabled={guarded} onClick={() => decide('allow')}>
            {t('approval.allowOnce')}
          </Button>
          <Button aria-disabled={guarded} onClick={() => decide('deny')}>
            {message === undefined ? t('approval.deny') : t('approval.denyWithMessage')}
          </Button>
          {message === undefined ? (
            <Button look="quiet" onClick={() => setMessage('')}>
              {t('approval.addMessage')}
            </Button>
          ) : null}
        </div>
      </div>
    </section>
  );
}

function ApprovalFacts({ call }: { readonly call: ToolCall }) {
  const { t } = useTranslation();
  const entries = Object.entries(call.arguments);
  return (
    <>
      <p className="text-xs text-ink-soft">
        {t(`approval.origin.${call.origin}`)} <code>{showHidden(call.tool)}</code>
      </p>
      <Section title={t('call.arguments')}>
        {entries.length === 0 ? (
          <p className="text-xs text-ink-faint">{t('call.noArguments')}</p>
        ) : (
          <dl className="divide-y divide-line overflow-hidden rounded-xl border border-line">
            {entries.map(([name, value]) => (
              <ApprovalArgument key={name} name={name} value={value} />
            ))}
          </dl>
        )}
      </Section>
      {call.description === undefined ? null : (
        <Section title={t('approval.description')}>
          <p dir="auto" className="text-xs whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
            {showHiddenInLines(call.description)}
          </p>
        </Section>
      )}
      <Section title={t('approval.hints')}>
        <ToolHints annotations={call.annotations} />
      </Section>
    </>
  );
}

/** One argument, all of it, with its real line breaks; long ones scroll and can be reached by keyboard. */
function ApprovalArgument({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  const id = useId();
  return (
    <div className="grid gap-x-3 px-3 py-2 md:grid-cols-[9rem_1fr]">
      <dt id={id} className="font-code text-xs leading-5 text-ink-faint [overflow-wrap:anywhere]">
        {showHidden(name)}
      </dt>
      <dd className="min-w-0">
        <pre
          tabIndex={text.length > 400 || text.includes('\n') ? 0 : undefined}
          aria-labelledby={id}
          role={text.length > 400 || text.includes('\n') ? 'group' : undefined}
          className="max-h-64 overflow-auto font-code text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {showHiddenInLines(text)}
        </pre>
      </dd>
    </div>
  );
}

function useGuard(callId: string): boolean {
  const { clock } = useConsole();
  const [guarded, setGuarded] = useState(true);
  useEffect(() => {
    const timer = clock.setTimer(GUARD_MS, () => setGuarded(false));
    return () => timer.cancel();
  }, [clock, callId]);
  return guarded;
}
