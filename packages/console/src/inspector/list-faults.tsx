import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { showHidden, showHiddenInLines } from '../ui/visible-text.ts';
import { problemCode } from './mcp-problem.ts';
import { useRefresh } from './use-refresh.ts';
import type { ListName } from './use-refresh.ts';

export interface ListFaultsProps {
  readonly connectorId: string;
  readonly lists: readonly ListName[];
}

const errorsOf = (server: McpServer | undefined) => server?.listErrors;
const droppedOf = (server: McpServer | undefined) => server?.droppedItems;

/** What is wrong with lists: that they could not be read, and what of them breaks the protocol. */
export function ListFaults({ connectorId, lists }: ListFaultsProps) {
  const { t } = useTranslation();
  const errors = useMcpServer(connectorId, errorsOf);
  const dropped = useMcpServer(connectorId, droppedOf);
  const refresh = useRefresh(connectorId, lists);
  const failed = lists.flatMap((list) => errors?.[list] ?? []).slice(0, 1);
  const left = (dropped ?? []).filter(({ list }) => lists.includes(list));
  if (failed.length === 0 && left.length === 0) return null;
  return (
    <div className="mb-4 flex flex-col gap-3">
      {failed.map(({ code, message }) => (
        <Notice
          key={code}
          tone="danger"
          title={t('inspector.listFailed')}
          actions={
            <Button busy={refresh.busy} onClick={refresh.run}>
              {t('general.retry')}
            </Button>
          }
        >
          {/^-?\d+$/.test(code) ? (
            <code className="me-1.5 text-danger">{code}</code>
          ) : (
            `${t(`inspector.problem.${problemCode(code)}`)} `
          )}
          {showHiddenInLines(message)}
        </Notice>
      ))}
      {left.length === 0 ? null : (
        <Notice tone="warn" title={t('inspector.dropped', { count: left.length })}>
          <ul className="mt-1 flex flex-col gap-1">
            {left.map(({ list, name, reason }) => (
              <li key={`${list} ${name}`}>
                <code>{showHidden(name)}</code> {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
