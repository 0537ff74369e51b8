import type { ToolCall } from '@portico/api';
import { Link } from '@tanstack/react-router';
import { ChevronRight, PanelRight, Square } from 'lucide-react';
import { memo, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../connectors/problem-text.ts';
import { ViewCard } from '../embed/view-card.tsx';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { useAction } from '../ui/use-action.ts';
import { ApprovalCard } from './approval-card.tsx';
import type { CallCardProps } from './call-card-props.ts';
import { CallSignIn } from './call-sign-in.tsx';
import { CallDisc, CallTime } from './call-status.tsx';
import { JsonTree } from './json-tree.tsx';
import { ResultBody } from './result-body.tsx';

/** One call of a tool with all that belongs to it: arguments, progress, answer, view. */
export const ToolCallCard = memo(function ToolCallCard({ conversationId, call }: CallCardProps) {
  if (call.status === 'waiting_approval') return <ApprovalCard conversationId={conversationId} call={call} />;
  const failed = call.status === 'failed' || call.status === 'tool_error';
  const waits = call.status === 'waiting_sign_in';
  return (
    <div
      className={classNames(
        'overflow-hidden rounded-2xl border bg-raised shadow-card',
        failed ? 'border-danger-line' : waits ? 'border-warn-line' : 'border-line',
      )}
    >
      <CallHeader conversationId={conversationId} call={call} />
      {call.status === 'running' ? <CallProgress conversationId={conversationId} call={call} /> : null}
      {waits ? <CallSignIn conversationId={conversationId} call={call} /> : null}
      <CallBody call={call} />
      {call.viewUri !== undefined && (call.status === 'done' || call.status === 'running') ? (
        <ViewCard conversationId={conversationId} call={call} />
      ) : null}
    </div>
  );
});

function CallHeader({ conversationId, call }: CallCardProps) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-3 py-2 ps-3.5 pe-2">
      <CallDisc status={call.status} />
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <h3 className="min-w-0 truncate text-sm font-medium">{call.title ?? call.tool}</h3>
        <span className="min-w-0 truncate text-xs text-ink-faint">{call.connectorName}</span>
      </div>
      {call.status === 'cancelled' ? (
        <span aria-hidden className="text-xs text-ink-soft">
          {t('call.status.cancelled')}
        </span>
      ) : null}
      <CallTime call={call} />
      <Link
        to="/c/$conversationId/$itemId"
        params={{ conversationId, itemId: call.id }}
        search={{ details: true }}
        aria-label={t('call.details', { tool: call.title ?? call.tool })}
        title={t('call.detailsShort')}
        className="grid size-8 shrink-0 place-items-center rounded-md text-ink-faint transition-colors hover:bg-hover hover:text-ink narrow:size-11"
      >
        <PanelRight aria-hidden className="size-4 rtl:-scale-x-100" strokeWidth={1.9} />
      </Link>
    </div>
  );
}

const NO_PROGRESS = { progress: 0 } as const;

function CallProgress({ conversationId, call }: CallCardProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const action = useAction();
  return (
    <div className="border-t border-line px-3.5 py-3">
      <div className="flex items-center gap-4">
        <ProgressBar
          label={t('call.progress', { tool: call.title ?? call.tool })}
          progress={call.progress ?? NO_PROGRESS}
        />
        <Button
          icon={Square}
          busy={action.busy}
          onClick={() => void action.run(() => api.cancelCall(conversationId, call.id))}
        >
          {t('call.stop')}
        </Button>
      </div>
      <ActionError error={action.error} />
    </div>
  );
}

function CallBody({ call }: { readonly call: ToolCall }) {
  const { t } = useTranslation();
  const { result } = call;
  const isError = result?.isError === true;
  const argumentCount = Object.keys(call.arguments).length;
  const hasView = call.viewUri !== undefined && call.status === 'done';
  return (
    <>
      {argumentCount === 0 ? null : (
        <Fold label={t('call.arguments')} summary={summarise(call.arguments)} openAtFirst={false}>
          <JsonTree value={call.arguments} label={t('call.arguments')} openDepth={2} />
        </Fold>
      )}
      {call.problem === undefined ? null : (
        <div className="border-t border-line p-3.5">
          <Notice
            tone={call.status === 'cancelled' || call.status === 'denied' ? 'calm' : 'danger'}
            title={problemMessage(t, call.problem)}
          />
        </div>
      )}
      {call.status === 'unknown' ? (
        <div className="border-t border-line p-3.5">
          <Notice tone="warn" title={t('call.unknownTitle')}>
            {t('call.unknownHint')}
          </Notice>
        </div>
      ) : null}
      {result === undefined ? null : (
        <Fold
          label={isError ? t('call.errorResult') : t('call.result')}
          summary={hasView ? textSummary(result.content) : ''}
          openAtFirst={!hasView}
          danger={isError}
        >
          <ResultBody result={result} />
        </Fold>
      )}
    </>
  );
}

interface FoldProps {
  readonly label: string;
  readonly summary: string;
  readonly openAtFirst: boolean;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

function Fold({ label, summary, openAtFirst, danger = false, children }: FoldProps) {
  const [open, setOpen] = useState(openAtFirst);
  return (
    <div className="border-t border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2 px-3.5 text-start text-xs -outline-offset-2 transition-colors hover:bg-hover narrow:min-h-11"
      >
        <ChevronRight
          aria-hidden
          className={classNames(
            'size-3.5 shrink-0 text-ink-faint transition-transform',
            open ? 'rotate-90' : 'rtl:-scale-x-100',
          )}
        />
        <span
          className={classNames('font-medium whitespace-nowrap', danger ? 'text-danger' : 'text-ink-soft')}
        >
          {label}
        </span>
        {open ? null : <span className="min-w-0 truncate text-ink-faint">{summary}</span>}
      </button>
      {open ? <div className="px-3.5 pt-0.5 pb-3.5">{children}</div> : null}
    </div>
  );
}

function summarise(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
    .slice(0, 200);
}

function textSummary(blocks: readonly { type: string }[]): string {
  const texts = blocks.flatMap((block) =>
    'text' in block && typeof block.text === 'string' ? [block.text] : [],
  );
  return texts.join(' ').slice(0, 200);
}
