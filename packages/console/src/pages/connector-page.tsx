import type { Connector, ConnectorAuth } from '@portico/api';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Bot, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApprovalQueue } from '../connectors/approval-queue.tsx';
import { accountName } from '../connectors/account-name.ts';
import { ConnectorDetails } from '../connectors/connector-details.tsx';
import { StatusBadge } from '../connectors/connector-status.tsx';
import { EditConnectorDialog } from '../connectors/edit-connector-dialog.tsx';
import { ProblemPanel } from '../connectors/problem-panel.tsx';
import { ToolDetails } from '../connectors/tool-details.tsx';
import { ToolList } from '../connectors/tool-list.tsx';
import { ConnectorMenu } from './connector-menu.tsx';
import type { ConnectorDialog } from './connector-menu.tsx';
import { Page } from '../shell/page.tsx';
import { AccountDialogs } from './account-dialogs.tsx';
import { SignInAttempts } from '../sign-in/sign-in-attempts.tsx';
import { SignInPanel, wantsSignIn } from '../sign-in/sign-in-panel.tsx';
import { SidePanel } from '../shell/side-panel.tsx';
import { useConnector, useConsole, useToolList } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useAction } from '../ui/use-action.ts';
import { MissingPage } from './missing-page.tsx';

export function ConnectorPage() {
  const { connectorId = '' } = useParams({ strict: false });
  const connector = useConnector(connectorId);
  return connector === undefined ? (
    <MissingPage />
  ) : (
    <KnownConnector key={connector.id} connector={connector} />
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
      panel={<ToolPanel connector={connector} />}
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
        <ConnectorTabs connector={connector} />
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

function ConnectorTabs({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab = 'tools' } = useSearch({ strict: false });
  const params = { connectorId: connector.id };
  return (
    <Tabs
      label={connector.name}
      value={tab === 'details' ? 'details' : 'tools'}
      onChange={(next) =>
        void navigate({
          to: '/connectors/$connectorId',
          params,
          search: next === 'details' ? { tab: 'details' } : {},
          replace: true,
        })
      }
      tabs={[
        {
          id: 'tools',
          label: (
            <>
              {t('connectors.tools')}{' '}
              <span className="text-ink-faint tabular-nums">{connector.toolCount}</span>
            </>
          ),
          content: <ToolList connector={connector} />,
        },
        {
          id: 'details',
          label: t('connectors.details'),
          content: (
            <div className="flex flex-col gap-6">
              <ConnectorDetails connector={connector} />
              {connector.auth === undefined ? null : (
                <SignInAttempts connectorId={connector.id} version={attemptsVersion(connector.auth)} />
              )}
            </div>
          ),
        },
      ]}
    />
  );
}

/** Changes with every step of an attempt, so that the list of them is live (K42). */
function attemptsVersion({ attempt, signedIn }: ConnectorAuth): string {
  return `${attempt?.id} ${attempt?.status} ${attempt?.stepCount} ${signedIn}`;
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

function ToolPanel({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tool: name } = useParams({ strict: false });
  const list = useToolList(name === undefined ? undefined : connector.id);
  if (name === undefined) return null;
  const tool = list?.tools.find((candidate) => candidate.name === name);
  const close = (): void =>
    void navigate({ to: '/connectors/$connectorId', params: { connectorId: connector.id } });
  return (
    <SidePanel title={tool?.title ?? name} onClose={close}>
      {tool === undefined ? (
        <p className="text-sm text-ink-soft">
          {list?.status === 'ready' ? t('connectors.toolMissing') : t('general.loading')}
        </p>
      ) : (
        <ToolDetails connector={connector} tool={tool} />
      )}
    </SidePanel>
  );
}
