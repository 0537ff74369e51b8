import type { Connector, ConnectorAuth } from '@portico/api';
import { useMcpServer, useRpcLog } from '@portico/react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConnectorDetails } from '../connectors/connector-details.tsx';
import { ToolList, toolsOf } from '../connectors/tool-list.tsx';
import { SignInAttempts } from '../sign-in/sign-in-attempts.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { INSPECTOR_TABS, tabOf } from './inspected.ts';
import { McpPlace } from './mcp-place.tsx';
import { MessageLog } from './message-log.tsx';
import { PromptList, promptsOf } from './prompt-list.tsx';
import { ResourceList, resourcesOf, templatesOf } from './resource-list.tsx';
import { ServerFacts } from './server-facts.tsx';

/** All that a connector offers, what was said to it, and what it is. */
export function InspectorTabs({ connector }: { readonly connector: Connector }) {
  const navigate = useNavigate();
  const inspected = useSearch({ strict: false });
  const choose = (chosen: string): void => {
    const tab = INSPECTOR_TABS.find((known) => known === chosen);
    if (tab === undefined) return;
    // What is in the panel stays there: a call can be watched among the messages.
    void navigate({ to: '.', search: { ...inspected, tab }, replace: true });
  };
  return (
    <Tabs
      label={connector.name}
      value={tabOf(inspected)}
      onChange={choose}
      tabs={[
        {
          id: 'tools',
          label: <ToolsLabel connector={connector} />,
          content: <InPlace connector={connector} tab={<ToolList connector={connector} />} />,
        },
        {
          id: 'resources',
          label: <ResourcesLabel connectorId={connector.id} />,
          content: <InPlace connector={connector} tab={<ResourceList connector={connector} />} />,
        },
        {
          id: 'prompts',
          label: <PromptsLabel connectorId={connector.id} />,
          content: <InPlace connector={connector} tab={<PromptList connector={connector} />} />,
        },
        {
          id: 'messages',
          label: <MessagesLabel connectorId={connector.id} />,
          content: <MessageLog connectorId={connector.id} />,
        },
        { id: 'details', label: <DetailsLabel />, content: <DetailsTab connector={connector} /> },
      ]}
    />
  );
}

function InPlace({ connector, tab }: { readonly connector: Connector; readonly tab: ReactNode }) {
  return <McpPlace connector={connector}>{tab}</McpPlace>;
}

function DetailsTab({ connector }: { readonly connector: Connector }) {
  return (
    <div className="flex flex-col gap-6">
      <ConnectorDetails connector={connector} />
      {connector.auth === undefined ? null : (
        <SignInAttempts connectorId={connector.id} version={attemptsVersion(connector.auth)} />
      )}
      <ServerFacts connectorId={connector.id} />
    </div>
  );
}

/** Changes with every step of an attempt, so that the list of them is live (K42). */
function attemptsVersion({ attempt, signedIn }: ConnectorAuth): string {
  return `${attempt?.id} ${attempt?.status} ${attempt?.stepCount} ${signedIn}`;
}

function Counted({ label, count }: { readonly label: string; readonly count: number | undefined }) {
  return (
    <>
      {label}
      {count === undefined ? null : <span className="text-ink-faint tabular-nums">{` ${count}`}</span>}
    </>
  );
}

/** Until this page knows better, the host's count stands. */
function ToolsLabel({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const count = useMcpServer(connector.id, (server) =>
    (server?.client ?? null) === null ? undefined : toolsOf(server).length,
  );
  return <Counted label={t('connectors.tools')} count={count ?? connector.toolCount} />;
}

function ResourcesLabel({ connectorId }: { readonly connectorId: string }) {
  const { t } = useTranslation();
  const count = useMcpServer(connectorId, (server) =>
    (server?.client ?? null) === null ? undefined : resourcesOf(server).length + templatesOf(server).length,
  );
  return <Counted label={t('inspector.resources')} count={count} />;
}

function PromptsLabel({ connectorId }: { readonly connectorId: string }) {
  const { t } = useTranslation();
  const count = useMcpServer(connectorId, (server) =>
    (server?.client ?? null) === null ? undefined : promptsOf(server).length,
  );
  return <Counted label={t('inspector.prompts')} count={count} />;
}

function MessagesLabel({ connectorId }: { readonly connectorId: string }) {
  const { t } = useTranslation();
  const { entries } = useRpcLog(connectorId);
  return <Counted label={t('inspector.messages')} count={entries.length} />;
}

function DetailsLabel() {
  const { t } = useTranslation();
  return t('connectors.details');
}
