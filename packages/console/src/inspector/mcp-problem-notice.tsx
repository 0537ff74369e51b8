import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonTree } from '../conversation/json-tree.tsx';
import { Notice } from '../ui/notice.tsx';
import { showHiddenInLines } from '../ui/visible-text.ts';
import type { McpProblem } from './mcp-problem.ts';

export interface McpProblemNoticeProps {
  readonly problem: McpProblem;
  readonly actions?: ReactNode;
}

/** What went wrong in the person's language, and in the words, number and data of whoever noticed it. */
export function McpProblemNotice({ problem, actions }: McpProblemNoticeProps) {
  const { t } = useTranslation();
  const { code, rpcCode, message, data } = problem;
  return (
    <Notice tone="danger" alert title={t(`inspector.problem.${code}`)} actions={actions}>
      <p className="whitespace-pre-wrap">
        {rpcCode === undefined ? null : <code className="me-1.5 text-danger">{rpcCode}</code>}
        {showHiddenInLines(message)}
      </p>
      {data === undefined ? null : (
        <div className="mt-2">
          <JsonTree value={data} label={t('inspector.problemData')} openDepth={2} />
        </div>
      )}
    </Notice>
  );
}
