import type { Connector } from '@portico/api';
import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import type { Resource, ResourceTemplateType } from '@portico/spec';
import { useSearch } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../i18n/format.ts';
import { EmptyState } from '../ui/states.tsx';
import { ItemRow } from './item-row.tsx';
import { ListPlace } from './list-place.tsx';
import { RefreshButton } from './refresh-button.tsx';
import { SearchedList } from './searched-list.tsx';
import { useFirstReading } from './use-first-reading.ts';

type Listed =
  | { readonly kind: 'resource'; readonly resource: Resource }
  | { readonly kind: 'template'; readonly template: ResourceTemplateType };

const LISTS = ['resources', 'resourceTemplates'] as const;
const NONE: readonly never[] = [];
export const resourcesOf = (server: McpServer | undefined): readonly Resource[] => server?.resources ?? NONE;
export const templatesOf = (server: McpServer | undefined): readonly ResourceTemplateType[] =>
  server?.resourceTemplates ?? NONE;

/** The resources and templates of a server. */
export function ResourceList({ connector: { id } }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const resources = useMcpServer(id, resourcesOf);
  const templates = useMcpServer(id, templatesOf);
  const reading = useFirstReading(id, 'resources');
  return (
    <ListPlace
      connectorId={id}
      lists={LISTS}
      isEmpty={resources.length + templates.length === 0}
      reading={reading}
      empty={
        <EmptyState
          icon={FileText}
          title={t('inspector.noResources')}
          action={<RefreshButton connectorId={id} lists={LISTS} />}
        >
          {t('inspector.noResourcesHint')}
        </EmptyState>
      }
    >
      <Lists connectorId={id} resources={resources} templates={templates} />
    </ListPlace>
  );
}

interface ListsProps {
  readonly connectorId: string;
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
}

function Lists({ connectorId, resources, templates }: ListsProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-6">
      {resources.length === 0 ? null : (
        <section aria-label={t('inspector.resources')}>
          <SearchedList
            items={resources.map((resource): Listed => ({ kind: 'resource', resource }))}
            searchLabel={t('inspector.searchResources')}
            action={<RefreshButton connectorId={connectorId} lists={LISTS} />}
            textOf={searchedText}
            row={(item) => <ListedRow key={keyOf(item)} connectorId={connectorId} item={item} />}
          />
        </section>
      )}
      {templates.length === 0 ? null : (
        <section>
          <h2 className="mb-2 text-xs font-medium text-ink-soft">{t('inspector.templates')}</h2>
          <SearchedList
            items={templates.map((template): Listed => ({ kind: 'template', template }))}
            searchLabel={t('inspector.searchTemplates')}
            {...(resources.length === 0
              ? { action: <RefreshButton connectorId={connectorId} lists={LISTS} /> }
              : {})}
            textOf={searchedText}
            row={(item) => <ListedRow key={keyOf(item)} connectorId={connectorId} item={item} />}
          />
        </section>
      )}
    </div>
  );
}

const keyOf = (item: Listed): string =>
  item.kind === 'resource' ? item.resource.uri : item.template.uriTemplate;

function searchedText(item: Listed): string {
  const { name, title = '', description = '' } = item.kind === 'resource' ? item.resource : item.template;
  return `${title} ${name} ${keyOf(item)} ${description}`;
}

function ListedRow({ connectorId, item }: { readonly connectorId: string; readonly item: Listed }) {
  const { i18n } = useTranslation();
  const { resource, template } = useSearch({ strict: false });
  const { name, title, description, mimeType } = item.kind === 'resource' ? item.resource : item.template;
  const address = keyOf(item);
  const size = item.kind === 'resource' ? item.resource.size : undefined;
  const isResource = item.kind === 'resource';
  return (
    <ItemRow
      connectorId={connectorId}
      search={isResource ? { resource: address } : { template: address }}
      selected={(isResource ? resource : template) === address}
      title={title ?? name}
      code={address}
      description={description}
      tags={
        <span className="text-xs whitespace-nowrap text-ink-faint">
          {[mimeType, size === undefined ? undefined : formatBytes(size, i18n.language)]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </span>
      }
    />
  );
}
