import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ToolNames } from '../artifacts/tool-names.tsx';
import { useStore } from 'zustand';
import { OpenLinkDialog } from '../conversation/outside-link.tsx';
import { useConsole } from '../state/console-context.tsx';
import type { Prompt, PromptAnswer, PromptRequest } from '../state/prompts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { showHidden, showHiddenInLines } from '../ui/visible-text.ts';

/** Shows the first waiting question of views and artifacts; the others wait behind it. */
export function PromptHost() {
  const { prompts } = useConsole();
  const first = useStore(prompts.store, (waiting) => waiting[0]);
  if (first === undefined) return null;
  return <PromptDialog key={first.id} prompt={first} />;
}

function PromptDialog({ prompt }: { readonly prompt: Prompt }) {
  const { request, answer } = prompt;
  switch (request.kind) {
    case 'link':
      return (
        <OpenLinkDialog
          url={request.url}
          from={request.from}
          onClose={() => answer({})}
          onOpen={() => answer({ open: 'allow' })}
        />
      );
    case 'message':
      return <MessageDialog request={request} answer={answer} />;
    case 'consent':
      return <ConsentDialog request={request} answer={answer} />;
  }
}

interface KindProps<Kind extends PromptRequest['kind']> {
  readonly request: Extract<PromptRequest, { kind: Kind }>;
  readonly answer: (answer: PromptAnswer) => void;
}

function MessageDialog({ request, answer }: KindProps<'message'>) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={() => answer({})}
      title={t('prompt.messageTitle', { from: request.from })}
      description={t('prompt.messageHint')}
      footer={
        <>
          <Button onClick={() => answer({})}>{t('prompt.messageRefuse')}</Button>
          <Button look="primary" onClick={() => answer({ send: 'allow' })}>
            {t('prompt.messageSend')}
          </Button>
        </>
      }
    >
      <p
        dir="auto"
        className="rounded-xl bg-sunken px-4 py-3 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {showHiddenInLines(request.text)}
      </p>
    </Dialog>
  );
}

function ConsentDialog({ request, answer }: KindProps<'consent'>) {
  const { t } = useTranslation();
  const { servers, artifact } = request;
  const [denied, setDenied] = useState<ReadonlySet<string>>(new Set());
  const all = (decision: 'allow' | 'deny'): PromptAnswer =>
    Object.fromEntries(
      servers.map(({ name }) => [name, decision === 'allow' && denied.has(name) ? 'deny' : decision]),
    );
  const toggle = (name: string): void => {
    const next = new Set(denied);
    if (!next.delete(name)) next.add(name);
    setDenied(next);
  };
  const [only] = servers;
  const title =
    servers.length === 1 && only !== undefined
      ? t('prompt.consentTitle', { artifact, connector: only.name })
      : t('prompt.consentTitleMany', { artifact, count: servers.length });
  return (
    <Dialog
      open
      // Closing decides nothing: the page is told no, and asks again when it is opened anew.
      onClose={() => answer({})}
      title={title}
      description={t('prompt.consentHint')}
      footer={
        <>
          <Button onClick={() => answer(all('deny'))}>{t('prompt.deny')}</Button>
          <Button look="primary" onClick={() => answer(all('allow'))}>
            {t('prompt.allow')}
          </Button>
        </>
      }
    >
      <ul className="divide-y divide-line rounded-xl border border-line">
        {servers.map(({ name, tools }) => (
          <li key={name} className="flex gap-3 px-4 py-3">
            {servers.length === 1 ? null : (
              <input
                type="checkbox"
                aria-label={name}
                checked={!denied.has(name)}
                onChange={() => toggle(name)}
                className="mt-1 size-4"
              />
            )}
            <div className="min-w-0">
              <div className="text-sm font-medium">{showHidden(name)}</div>
              <p className="mt-0.5 text-xs text-ink-faint">
                {t('prompt.consentTools', { count: tools.length })}
              </p>
              <ToolNames tools={tools} />
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
