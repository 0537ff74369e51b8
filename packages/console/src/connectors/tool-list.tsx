import type { Connector } from '@portico/api';
import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import { getToolUi } from '@portico/spec';
import type { Tool } from '@portico/spec';
import { Link } from '@tanstack/react-router';
import { AppWindow, Wrench } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ListPlace } from '../inspector/list-place.tsx';
import { RefreshButton } from '../inspector/refresh-button.tsx';
import { SearchedList } from '../inspector/searched-list.tsx';
import { EmptyState } from '../ui/states.tsx';

const NONE: readonly Tool[] = [];
const LISTS = ['tools'] as const;
export const toolsOf = (server: McpServer | undefined): readonly Tool[] => server?.tools ?? NONE;

/** The tools that a server lists, as it lists them now. */
export function ToolList({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const tools = useMcpServer(connector.id, toolsOf);
  return (
    <ListPlace
      connectorId={connector.id}
      lists={LISTS}
      isEmpty={tools.length === 0}
      empty={
        <EmptyState
          icon={Wrench}
          title={t('connectors.noTools')}
          action={<RefreshButton connectorId={connector.id} lists={LISTS} />}
        >
          {t('connectors.noToolsHint')}
        </EmptyState>
      }
    >
      <SearchedList
        items={tools}
        searchLabel={t('connectors.searchTools')}
        action={<RefreshButton connectorId={connector.id} lists={LISTS} />}
        textOf={({ title = '', name, description = '' }) => `${title} ${name} ${description}`}
        row={(tool) => <ToolRow key={tool.name} connector={connector} tool={tool} />}
      />
    </ListPlace>
  );
}

function ToolRow({ connector, tool }: { readonly connector: Connector; readonly tool: Tool }) {
  const { t } = useTranslation();
  const { visibility, resourceUri } = getToolUi(tool);
  return (
    <li className="relative px-4 py-2.5 transition-colors hover:bg-hover has-[[aria-current]]:bg-accent-soft">
      <div className="flex items-baseline gap-2.5">
        <Link
          to="/connectors/$connectorId/tools/$tool"
          params={{ connectorId: connector.id, tool: tool.name }}
          activeProps={{ 'aria-current': 'true' }}
          className="min-w-0 truncate font-medium -outline-offset-2 after:absolute after:inset-0"
        >
          {tool.title ?? tool.name}
        </Link>
        {tool.title === undefined ? null : (
          <code className="truncate text-xs text-ink-faint narrow:hidden">{tool.name}</code>
        )}
        <span className="ms-auto flex shrink-0 gap-1.5">
          {visibility.includes('model') ? null : <Tag>{t('connectors.appOnly')}</Tag>}
          {resourceUri === undefined ? null : (
            <Tag>
              <AppWindow aria-hidden className="size-3" />
              {t('connectors.hasView')}
            </Tag>
          )}
        </span>
      </div>
      {tool.description === undefined ? null : (
        <p dir="auto" className="mt-0.5 line-clamp-2 text-xs text-ink-soft">
          {tool.description}
        </p>
      )}
    </li>
  );
}

export function Tag({ children }: { readonly children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1 rounded-md bg-accent-soft px-1.5 py-px text-2xs font-medium text-accent-strong whitespace-nowrap">
      {children}
    </span>
  );
}
