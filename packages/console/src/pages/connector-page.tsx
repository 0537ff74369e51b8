import type { Connector } from '@portico/api';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Bot, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApprovalQueue } from '../connectors/approval-queue.tsx';
import { accountName } from '../connectors/account-name.ts';
import { StatusBadge } from '../connectors/connector-status.tsx';
import { EditConnectorDialog } from '../connectors/edit-connector-dialog.tsx';
import { ProblemPanel } from '../connectors/problem-panel.tsx';
import { ConnectorMcp } from '../inspector/connector-mcp.tsx';
import { InspectorTabs } from '../inspector/inspector-tabs.tsx';
import { ItemPanel } from '../inspector/item-panel.tsx';
import { ConnectorMenu } from './connector-menu.tsx';
import type { ConnectorDialog } from './connector-menu.tsx';
import { Page } from '../shell/page.tsx';
import { AccountDialogs } from './account-dialogs.tsx';
import { SignInPanel, wantsSignIn } from '../sign-in/sign-in-panel.tsx';
import { useConnector, useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import { MissingPage } from './missing-page.tsx';

export function ConnectorPage() {
  const { connectorId = '' } = useParams({ strict: false });
  const connector = useConnector(connectorId);
  return connector === undefined ? (
    <MissingPage />
  ) : (
    <ConnectorMcp key={connector.id} connector={connector}>
      <KnownConnector connector={connector} />
    </ConnectorMcp>
  );
}

function KnownConnector({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { api } = useConsole();
  const [dialog, setDialog] = useState<ConnectorDialog>();
  const [queue, setQueue] = useState<readonly string[]>([]);
  const action = useAction();
  const reconnect = (): void => void action.run(() => api.reconnect(connector.id));
  const edit = (): void => setDialog('edit');
  const isApplication = connector.auth?.actsAs === 'application';
  const remove = async (): Promise<void> => {
    await api.removeConnector(connector.id);
    await navigate({ to: '/connectors' });
  };
  return (
    <Page
      title={accountName(connector)}
      above={<ParentLink />}
      status={<StatusBadge connector={connector} />}
      actions={
        <ConnectorMenu connector={connector} action={action} onReconnect={reconnect} onDialog={setDialog} />
      }
      panel={<ItemPanel connector={connector} />}
      layout="wide"
    >
      <div className="flex flex-col gap-4">
        <ActionError error={action.error} />
        <PendingNotice connector={connector} onReview={() => setQueue([connector.id])} />
        <StatePanel
          connector={connector}
          onReconnect={reconnect}
          onEdit={edit}
          onIdentity={() => setDialog(isApplication ? 'application' : 'identity')}
        />
        <WhoActs connector={connector} />
        <InspectorTabs connector={connector} />
      </div>
      {dialog === 'edit' ? (
        <EditConnectorDialog
          connector={connector}
          onClose={() => setDialog(undefined)}
          onSaved={() => {
            setDialog(undefined);
            setQueue([connector.id]);
          }}
        />
      ) : null}
      <ConfirmDialog
        open={dialog === 'delete'}
        title={t('connectors.deleteTitle', { name: connector.name })}
        description={t('connectors.deleteHint')}
        confirmLabel={t('connectors.delete')}
        onConfirm={() => void action.run(remove)}
        onClose={() => setDialog(undefined)}
      />
      <AccountDialogs connector={connector} dialog={dialog} action={action} onDialog={setDialog} />
      <ApprovalQueue queue={queue} onQueue={setQueue} />
    </Page>
  );
}

interface StatePanelProps {
  readonly connector: Connector;
  readonly onReconnect: () => void;
  readonly onEdit: () => void;
  readonly onIdentity: () => void;
}

/** What keeps the connector from working: a sign-in, or trouble. */
function StatePanel({ connector, onReconnect, onEdit, onIdentity }: StatePanelProps) {
  const navigate = useNavigate();
  if (!wantsSignIn(connector))
    return <ProblemPanel connector={connector} onEdit={onEdit} onReconnect={onReconnect} />;
  const params = { connectorId: connector.id };
  const showSteps = (): void =>
    void navigate({ to: '/connectors/$connectorId', params, search: { tab: 'details' }, replace: true });
  return <SignInPanel connector={connector} onSteps={showSteps} onIdentity={onIdentity} onEdit={onEdit} />;
}

/** Says who acts where no person does (K49). */
function WhoActs({ connector: { auth } }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  if (auth?.actsAs !== 'application') return null;
  return (
    <p className="flex items-center gap-2 text-sm text-ink-soft">
      <Bot aria-hidden className="size-4 shrink-0 text-ink-faint" strokeWidth={1.9} />
      {t('signIn.actsAsApplication')}
    </p>
  );
}

function ParentLink() {
  const { t } = useTranslation();
  return (
    <>
      <Link to="/connectors" className="text-sm text-ink-faint hover:text-ink narrow:hidden">
        {t('shell.connectors')}
      </Link>
      <ChevronRight
        aria-hidden
        className="-mx-1 size-3.5 shrink-0 text-ink-faint rtl:-scale-x-100 narrow:hidden"
      />
    </>
  );
}

function PendingNotice({
  connector,
  onReview,
}: {
  readonly connector: Connector;
  readonly onReview: () => void;
}) {
  const { t } = useTranslation();
  if (connector.pendingApproval === undefined) return null;
  return (
    <Notice
      tone="warn"
      title={t('connectors.pendingTitle')}
      actions={<Button onClick={onReview}>{t('connectors.review')}</Button>}
    >
      {t('connectors.pendingHint')}
    </Notice>
  );
}
