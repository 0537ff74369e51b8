import type { Connector } from '@portico/api';
import { useMcpServer } from '@portico/react';
import type { Tool } from '@portico/spec';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ToolDetails } from '../connectors/tool-details.tsx';
import { toolsOf } from '../connectors/tool-list.tsx';
import { SidePanel } from '../shell/side-panel.tsx';
import { isUsable } from '../state/console-context.tsx';
import { promptsOf } from './prompt-list.tsx';
import { PromptPanel, usePromptDesk } from './prompt-panel.tsx';
import { resourcesOf, templatesOf } from './resource-list.tsx';
import { ResourcePanel, useResourceReading } from './resource-panel.tsx';
import { TemplatePanel, useTemplateDesk } from './template-panel.tsx';
import { useToolDesk } from './tool-trial.tsx';
import { useKept } from './use-kept.ts';

/** The one thing of a connector that the address names: a tool, a resource, a template or a prompt. */
export function ItemPanel({ connector }: { readonly connector: Connector }) {
  const { tool } = useParams({ strict: false });
  const { resource, template, prompt } = useSearch({ strict: false });
  if (tool !== undefined) return <ToolInPanel key={tool} connector={connector} name={tool} />;
  if (resource !== undefined) return <ResourceInPanel key={resource} connector={connector} uri={resource} />;
  if (template !== undefined)
    return <TemplateInPanel key={template} connector={connector} uriTemplate={template} />;
  return prompt === undefined ? null : <PromptInPanel key={prompt} connector={connector} name={prompt} />;
}

function ToolInPanel({ connector, name }: { readonly connector: Connector; readonly name: string }) {
  const { t } = useTranslation();
  const found = useMcpServer(connector.id, (server) => toolsOf(server).find((tool) => tool.name === name));
  const tool = useKept(found, useIsKnown(connector));
  if (tool === undefined)
    return <Gone connector={connector} title={name} text={t('connectors.toolMissing')} />;
  return <OpenTool connector={connector} tool={tool} />;
}

function OpenTool({ connector, tool }: { readonly connector: Connector; readonly tool: Tool }) {
  const desk = useToolDesk(connector.id, tool);
  return (
    <Panel title={tool.title ?? tool.name}>
      <ToolDetails connector={connector} tool={tool} desk={desk} />
    </Panel>
  );
}

function ResourceInPanel({ connector, uri }: { readonly connector: Connector; readonly uri: string }) {
  const resource = useMcpServer(connector.id, (server) =>
    resourcesOf(server).find((candidate) => candidate.uri === uri),
  );
  const reading = useResourceReading(connector.id, uri);
  return (
    <Panel title={resource?.title ?? resource?.name ?? uri}>
      <ResourcePanel uri={uri} resource={resource} reading={reading} />
    </Panel>
  );
}

interface TemplateInPanelProps {
  readonly connector: Connector;
  readonly uriTemplate: string;
}

function TemplateInPanel({ connector, uriTemplate }: TemplateInPanelProps) {
  const { t } = useTranslation();
  const desk = useTemplateDesk();
  const found = useMcpServer(connector.id, (server) =>
    templatesOf(server).find((candidate) => candidate.uriTemplate === uriTemplate),
  );
  const template = useKept(found, useIsKnown(connector));
  if (template === undefined)
    return <Gone connector={connector} title={uriTemplate} text={t('inspector.templateMissing')} />;
  return (
    <Panel title={template.title ?? template.name}>
      <TemplatePanel connectorId={connector.id} template={template} desk={desk} />
    </Panel>
  );
}

function PromptInPanel({ connector, name }: { readonly connector: Connector; readonly name: string }) {
  const { t } = useTranslation();
  const desk = usePromptDesk();
  const found = useMcpServer(connector.id, (server) =>
    promptsOf(server).find((candidate) => candidate.name === name),
  );
  const prompt = useKept(found, useIsKnown(connector));
  if (prompt === undefined)
    return <Gone connector={connector} title={name} text={t('inspector.promptMissing')} />;
  return (
    <Panel title={prompt.title ?? prompt.name}>
      <PromptPanel connectorId={connector.id} prompt={prompt} desk={desk} />
    </Panel>
  );
}

/** Whether what the server lists now is known. */
function useIsKnown(connector: Connector): boolean {
  const ready = useMcpServer(connector.id, (server) => server?.state === 'ready');
  return ready && isUsable(connector.status);
}

interface GoneProps {
  readonly connector: Connector;
  readonly title: string;
  /** Said once it is known that the server does not have it. */
  readonly text: string;
}

function Gone({ connector, title, text }: GoneProps) {
  const { t } = useTranslation();
  const known = useIsKnown(connector);
  const waits = connector.status === 'connecting' || isUsable(connector.status);
  return (
    <Panel title={title}>
      <p className="text-sm text-ink-soft">
        {known ? text : waits ? t('general.loading') : t('inspector.unknownHint')}
      </p>
    </Panel>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const navigate = useNavigate();
  const { connectorId = '' } = useParams({ strict: false });
  const { tab } = useSearch({ strict: false });
  const close = (): void =>
    void navigate({
      to: '/connectors/$connectorId',
      params: { connectorId },
      search: tab === undefined ? {} : { tab },
    });
  return (
    <SidePanel title={title} size="large" onClose={close}>
      {children}
    </SidePanel>
  );
}
