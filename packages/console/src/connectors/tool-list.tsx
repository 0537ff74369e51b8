import type { Connector, ToolInfo } from '@portico/api';
import { Link } from '@tanstack/react-router';
import { AppWindow, Wrench } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isUsable, useToolList } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { CONTROL_LOOK } from '../ui/field.tsx';
import { EmptyState, Failure, Loading } from '../ui/states.tsx';

/** Rows shown at once; more on request, so that thousands of tools stay light. */
const PAGE_SIZE = 100;
/** From this many tools on there is a box to search them. */
const SEARCH_FROM = 8;

export function ToolList({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const list = useToolList(connector.id);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query.trim().toLowerCase());
  const [shown, setShown] = useState(PAGE_SIZE);
  const tools = list?.tools ?? [];
  if (tools.length === 0) return <NoTools connector={connector} list={list} />;
  const found = tools.filter((tool) =>
    `${tool.title ?? ''} ${tool.name} ${tool.description ?? ''}`.toLowerCase().includes(wanted),
  );
  return (
    <div>
      {tools.length < SEARCH_FROM ? null : (
        <input
          type="search"
          aria-label={t('connectors.searchTools')}
          placeholder={t('connectors.searchTools')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className={`${CONTROL_LOOK} mb-4 max-w-80`}
        />
      )}
      <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-raised shadow-card">
        {found.slice(0, shown).map((tool) => (
          <ToolRow key={tool.name} connector={connector} tool={tool} />
        ))}
      </ul>
      {found.length === 0 ? (
        <p className="mt-4 text-sm text-ink-soft">{t('connectors.noToolFound')}</p>
      ) : null}
      {found.length > shown ? (
        <Button className="mt-4" onClick={() => setShown(shown + PAGE_SIZE)}>
          {t('connectors.moreTools', { count: found.length - shown })}
        </Button>
      ) : null}
    </div>
  );
}

function NoTools({
  connector,
  list,
}: {
  readonly connector: Connector;
  readonly list: ReturnType<typeof useToolList>;
}) {
  const { t } = useTranslation();
  if (list?.status === 'failed' && isUsable(connector.status)) {
    return <Failure title={t('connectors.toolsFailed')} message={list.problem} />;
  }
  if (connector.status === 'connecting' || (isUsable(connector.status) && list?.status !== 'ready'))
    return <Loading />;
  return (
    <EmptyState
      icon={Wrench}
      title={isUsable(connector.status) ? t('connectors.noTools') : t('connectors.toolsUnknown')}
    >
      {isUsable(connector.status) ? t('connectors.noToolsHint') : t('connectors.toolsUnknownHint')}
    </EmptyState>
  );
}

function ToolRow({ connector, tool }: { readonly connector: Connector; readonly tool: ToolInfo }) {
  const { t } = useTranslation();
  const onlyApp = !tool.visibility.includes('model');
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
          {onlyApp ? <Tag>{t('connectors.appOnly')}</Tag> : null}
          {tool.viewUri === undefined ? null : (
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
