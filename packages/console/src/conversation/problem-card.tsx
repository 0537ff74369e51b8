import type { ProblemCard as ProblemItem } from '@portico/api';
import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';

export interface ProblemCardProps {
  readonly conversationId: string;
  readonly problem: ProblemItem;
  /** Only the last problem of an idle conversation can be tried again. */
  readonly current: boolean;
}

/** Problems after which the model goes on where it was, rather than from the beginning. */
const CONTINUING: ReadonlySet<ProblemItem['code']> = new Set([
  'interrupted',
  'provider_stream_cut',
  'too_many_rounds',
]);

/** Why a turn ended early and what to do about it. */
export function ProblemCard({ conversationId, problem, current }: ProblemCardProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const action = useAction();
  const continues = CONTINUING.has(problem.code);
  return (
    <div className="flex flex-col gap-2">
      <Notice
        tone={problem.code === 'interrupted' ? 'warn' : 'danger'}
        title={t(`problem.title.${problem.code}`)}
        actions={
          current ? (
            <>
              <Button
                icon={RotateCw}
                busy={action.busy}
                onClick={() => void action.run(() => api.retry(conversationId))}
              >
                {continues ? t('problem.continue') : t('general.retry')}
              </Button>
              {problem.code === 'provider_auth' ? (
                <Link
                  to="/settings"
                  hash="model"
                  className="control-height inline-flex items-center px-2 text-sm text-accent underline underline-offset-2"
                >
                  {t('problem.openSettings')}
                </Link>
              ) : null}
            </>
          ) : undefined
        }
      >
        {t(`problem.remedy.${problem.code}`)}
        <span className="mt-1 block text-xs text-ink-faint">{problem.message}</span>
      </Notice>
      <ActionError error={action.error} />
    </div>
  );
}
