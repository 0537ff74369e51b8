import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import type { ReadResourceResult, Resource } from '@portico/spec';
import { RefreshCw } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatDate } from '../i18n/format.ts';
import { Button } from '../ui/button.tsx';
import { AskedAnswer } from './asked-answer.tsx';
import { Described } from './described.tsx';
import { Facts } from './facts.tsx';
import { ResourcePreview } from './resource-preview.tsx';
import { useAsking } from './use-asking.ts';
import type { Asked } from './use-asking.ts';

/** What a resource holds, read as soon as it is opened, and again when somebody wants it. */
export interface ResourceReading {
  readonly asked: Asked<ReadResourceResult>;
  /** Absent while there is nobody to ask. */
  readonly read: (() => void) | undefined;
}

/** Held above the panel that shows it, which is another one in a narrow window. */
export function useResourceReading(connectorId: string, uri: string): ResourceReading {
  const readResource = useMcpServer(connectorId, readOf);
  const { asked, ask } = useAsking<ReadResourceResult>();
  const read = useMemo(
    () => (readResource === undefined ? undefined : () => ask(() => readResource(uri))),
    [ask, readResource, uri],
  );
  useEffect(() => read?.(), [read]);
  return { asked, read };
}

export interface ResourcePanelProps {
  readonly uri: string;
  readonly reading: ResourceReading;
  /** As the server lists it; one that is not listed can be read all the same. */
  readonly resource: Resource | undefined;
}

export const readOf = (server: McpServer | undefined): McpServer['readResource'] | undefined =>
  server?.state === 'ready' ? server.readResource : undefined;

/** One resource: what is said of it, and what it holds. */
export function ResourcePanel({ uri, resource, reading: { asked, read } }: ResourcePanelProps) {
  const { t, i18n } = useTranslation();
  const { size, mimeType, annotations } = resource ?? {};
  return (
    <div className="flex flex-col gap-5">
      <Described code={uri} copyLabel={t('inspector.copyAddress')} description={resource?.description} />
      <Facts
        facts={[
          [t('inspector.type'), mimeType],
          [t('inspector.size'), size === undefined ? undefined : formatBytes(size, i18n.language)],
          [t('inspector.audience'), annotations?.audience?.join(', ')],
          [t('inspector.priority'), annotations?.priority?.toString()],
          [t('inspector.changed'), dateOf(annotations?.lastModified, i18n.language)],
        ]}
      />
      <section>
        <div className="mb-1 flex items-center gap-2">
          <h3 className="flex-1 text-2xs font-medium text-ink-faint">{t('inspector.content')}</h3>
          <Button
            look="quiet"
            icon={RefreshCw}
            busy={asked.busy}
            className="-me-2 px-2 text-xs"
            disabled={read === undefined}
            onClick={() => read?.()}
          >
            {t('inspector.readAgain')}
          </Button>
        </div>
        <AskedAnswer asked={asked}>{({ contents }) => <ResourcePreview contents={contents} />}</AskedAnswer>
      </section>
    </div>
  );
}

function dateOf(text: string | undefined, language: string): string | undefined {
  const atMs = Date.parse(text ?? '');
  return Number.isNaN(atMs) ? text : formatDate(atMs, language);
}
