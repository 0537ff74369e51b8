import type { Connector } from '@portico/api';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Cable, ChevronRight, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountName } from '../connectors/account-name.ts';
import { AddConnectorDialog, WAYS_TO_ADD } from '../connectors/add-connector-dialog.tsx';
import { ApprovalQueue } from '../connectors/approval-queue.tsx';
import { ConnectorIcon } from '../connectors/connector-icon.tsx';
import { StatusBadge } from '../connectors/connector-status.tsx';
import { causeText } from '../connectors/problem-text.ts';
import { transportLine } from '../connectors/transport-line.ts';
import { Page } from '../shell/page.tsx';
import { useConnectors } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

export function ConnectorsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { add } = useSearch({ strict: false });
  const connectors = useConnectors();
  const [queue, setQueue] = useState<readonly string[]>([]);
  const way = WAYS_TO_ADD.find((known) => known === add);
  const openAdd = (next: (typeof WAYS_TO_ADD)[number] | undefined): void =>
    void navigate({
      to: '/connectors',
      search: next === undefined ? {} : { add: next },
      replace: way !== undefined,
    });
  const onAdded = (added: readonly Connector[]): void => {
    const waiting = added.filter(({ pendingApproval }) => pendingApproval !== undefined).map(({ id }) => id);
    setQueue(waiting);
    const [only] = added;
    if (waiting.length === 0 && added.length === 1 && only !== undefined) {
      void navigate({ to: '/connectors/$connectorId', params: { connectorId: only.id }, replace: true });
    } else openAdd(undefined);
  };
  const addButton = (
    <Button look="primary" icon={Plus} onClick={() => openAdd('command')}>
      {t('connectors.add')}
    </Button>
  );
  return (
    <Page title={t('shell.connectors')} actions={connectors.length === 0 ? undefined : addButton}>
      {connectors.length === 0 ? (
        <EmptyState icon={Cable} title={t('connectors.none')} action={addButton}>
          {t('connectors.noneHint')}
        </EmptyState>
      ) : (
        <>
          <p className="mb-4 text-sm text-ink-soft">{t('connectors.lead')}</p>
          <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-raised shadow-card">
            {connectors.map((connector) => (
              <ConnectorRow
                key={connector.id}
                connector={connector}
                onReview={() => setQueue([connector.id])}
              />
            ))}
          </ul>
        </>
      )}
      {way === undefined ? null : (
        <AddConnectorDialog way={way} onWay={openAdd} onClose={() => openAdd(undefined)} onAdded={onAdded} />
      )}
      <ApprovalQueue queue={queue} onQueue={setQueue} />
    </Page>
  );
}

function ConnectorRow({
  connector,
  onReview,
}: {
  readonly connector: Connector;
  readonly onReview: () => void;
}) {
  const { t } = useTranslation();
  const line =
    connector.transport.kind === 'builtin' ? t('connectors.builtin') : transportLine(connector.transport);
  return (
    <li className="relative flex flex-wrap items-center gap-x-3.5 gap-y-2 px-4 py-3 transition-colors hover:bg-hover has-[a:focus-visible]:bg-hover">
      <ConnectorIcon transport={connector.transport} />
      <div className="min-w-0 flex-1">
        <Link
          to="/connectors/$connectorId"
          params={{ connectorId: connector.id }}
          className="font-medium -outline-offset-2 after:absolute after:inset-0"
        >
          {accountName(connector)}
        </Link>
        <p className="truncate text-xs text-ink-faint">
          {connector.status === 'ready' ? line : causeText(t, connector)}
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5">
        <StatusBadge connector={connector} />
        <span className="text-2xs text-ink-faint tabular-nums">
          {connector.toolCount > 0 ? t('connectors.toolCount', { count: connector.toolCount }) : ''}
        </span>
      </div>
      {connector.pendingApproval === undefined ? (
        <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-faint rtl:-scale-x-100" />
      ) : (
        <Button className="relative z-10 narrow:w-full" onClick={onReview}>
          {t('connectors.review')}
        </Button>
      )}
    </li>
  );
}
