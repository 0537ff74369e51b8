import type { Connector } from '@portico/api';
import { Pencil, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { problemMessage, problemRemedy } from './problem-text.ts';

export interface ProblemPanelProps {
  readonly connector: Connector;
  readonly onEdit: () => void;
  readonly onReconnect: () => void;
}

/** Why a connector does not work, in its own last words, and the one thing to do about it (K27). */
export function ProblemPanel({ connector, onEdit, onReconnect }: ProblemPanelProps) {
  const { t } = useTranslation();
  const { problem } = connector;
  if (problem === undefined) return null;
  const lines = problem.stderrTail ?? [];
  const edits = connector.action === 'edit';
  return (
    <Notice
      tone={connector.status === 'failed' ? 'danger' : 'warn'}
      title={problemMessage(t, problem)}
      actions={
        <Button icon={edits ? Pencil : RefreshCw} onClick={edits ? onEdit : onReconnect}>
          {t(`connectors.action.${edits ? 'edit' : 'reconnect'}`)}
        </Button>
      }
    >
      {problemRemedy(t, problem)}
      {lines.length === 0 ? null : (
        <div className="mt-3">
          <p id="stderr-label" className="mb-1 text-2xs font-medium text-ink-faint">
            {t('connectors.stderr')}
          </p>
          <pre
            tabIndex={0}
            aria-labelledby="stderr-label"
            className="max-h-56 overflow-auto rounded-lg border border-line bg-surface px-3 py-2 text-xs leading-5 text-ink"
          >
            {lines.join('\n')}
          </pre>
        </div>
      )}
    </Notice>
  );
}
