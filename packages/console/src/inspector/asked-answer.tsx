import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../i18n/format.ts';
import { Loading } from '../ui/states.tsx';
import { McpProblemNotice } from './mcp-problem-notice.tsx';
import type { Asked } from './use-asking.ts';

export interface AskedAnswerProps<Answer> {
  readonly asked: Asked<Answer>;
  readonly children: (answer: Answer) => ReactNode;
}

/** The answer of a server, or why there is none, and how long it took. */
export function AskedAnswer<Answer>({ asked, children }: AskedAnswerProps<Answer>) {
  const { t, i18n } = useTranslation();
  const { busy, answer, problem, tookMs } = asked;
  if (answer === undefined && problem === undefined) return busy ? <Loading /> : null;
  return (
    <div aria-busy={busy} className={busy ? 'opacity-60' : undefined}>
      {problem === undefined ? null : <McpProblemNotice problem={problem} />}
      {answer === undefined ? null : children(answer)}
      {tookMs === undefined ? null : (
        <p className="mt-2 text-2xs text-ink-faint tabular-nums">
          {t('inspector.took', { time: formatDuration(tookMs, i18n.language) })}
        </p>
      )}
    </div>
  );
}
