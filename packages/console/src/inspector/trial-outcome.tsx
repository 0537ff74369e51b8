import { Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CallDisc, ElapsedTime } from '../conversation/call-status.tsx';
import { ResultBody } from '../conversation/result-body.tsx';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { McpProblemNotice } from './mcp-problem-notice.tsx';
import type { Trial } from './use-tool-calling.ts';

export interface TrialOutcomeProps {
  /** What people call the tool. */
  readonly tool: string;
  readonly trial: Trial;
  readonly onCancel: () => void;
}

const NO_PROGRESS = { progress: 0 } as const;

function statusOf(trial: Trial) {
  switch (trial.phase) {
    case 'idle':
      return undefined;
    case 'running':
      return 'running';
    case 'answered':
      return trial.result.isError === true ? 'tool_error' : 'done';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
  }
}

/** How a call of a tool is going, and what it brought. */
export function TrialOutcome({ tool, trial, onCancel }: TrialOutcomeProps) {
  const { t } = useTranslation();
  const { announcer } = useConsole();
  const status = statusOf(trial);
  useEffect(() => {
    if (status !== undefined) announcer.say(t('call.ended', { tool, status: t(`call.status.${status}`) }));
  }, [announcer, t, tool, status]);
  if (status === undefined || trial.phase === 'idle') return null;
  return (
    <div className="mt-3 overflow-hidden rounded-xl border border-line bg-raised shadow-card">
      <div className="flex min-h-11 items-center gap-2.5 py-1.5 ps-3 pe-3 has-[button]:pe-1.5">
        <CallDisc status={status} />
        <span aria-hidden className="min-w-0 flex-1 text-sm">
          {t(`call.status.${status}`)}
        </span>
        <ElapsedTime startedMs={trial.startedMs} endedMs={'endedMs' in trial ? trial.endedMs : undefined} />
        {trial.phase === 'answered' ? (
          <CopyButton text={() => JSON.stringify(trial.result, null, 2)} label={t('inspector.copyResult')} />
        ) : null}
      </div>
      {trial.phase === 'running' ? (
        <Below>
          <div className="flex items-center gap-4">
            <ProgressBar label={t('call.progress', { tool })} progress={trial.progress ?? NO_PROGRESS} />
            <Button icon={Square} onClick={onCancel}>
              {t('call.stop')}
            </Button>
          </div>
        </Below>
      ) : null}
      {trial.phase === 'answered' ? (
        <Below>
          <ResultBody result={trial.result} />
        </Below>
      ) : null}
      {trial.phase === 'failed' ? (
        <Below>
          <McpProblemNotice problem={trial.problem} />
        </Below>
      ) : null}
    </div>
  );
}

function Below({ children }: { readonly children: ReactNode }) {
  return <div className="border-t border-line p-3">{children}</div>;
}
