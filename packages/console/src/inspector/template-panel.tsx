import { useMcpServer } from '@portico/react';
import type { ReadResourceResult, ResourceTemplateType } from '@portico/spec';
import { UriTemplate } from '@portico/spec';
import { BookOpen } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/notice.tsx';
import { showHidden } from '../ui/visible-text.ts';
import { AskedAnswer } from './asked-answer.tsx';
import { Described } from './described.tsx';
import { Facts } from './facts.tsx';
import { readOf } from './resource-panel.tsx';
import { ResourcePreview } from './resource-preview.tsx';
import { TextValuesForm, useTextValues } from './text-values-form.tsx';
import type { TextValues } from './text-values-form.tsx';
import { useAsking } from './use-asking.ts';
import type { Asking } from './use-asking.ts';
import { useCompletion } from './use-completion.ts';

/** What somebody has filled in for a template, and what is at the address that it made. */
export interface TemplateDesk extends Asking<ReadResourceResult> {
  readonly entered: TextValues;
}

export function useTemplateDesk(): TemplateDesk {
  return { entered: useTextValues(), ...useAsking<ReadResourceResult>() };
}

export interface TemplatePanelProps {
  readonly connectorId: string;
  readonly template: ResourceTemplateType;
  readonly desk: TemplateDesk;
}

/** A template of resources: its variables to fill in, and what is at the address that they make. */
export function TemplatePanel({ connectorId, template, desk }: TemplatePanelProps) {
  const { t } = useTranslation();
  const { uriTemplate, description, mimeType } = template;
  const parsed = useMemo(() => parse(uriTemplate), [uriTemplate]);
  const readResource = useMcpServer(connectorId, readOf);
  const suggest = useCompletion(connectorId, { type: 'ref/resource', uri: uriTemplate });
  const { asked, ask, entered } = desk;
  return (
    <div className="flex flex-col gap-5">
      <Described code={uriTemplate} copyLabel={t('inspector.copyAddress')} description={description} />
      <Facts facts={[[t('inspector.type'), mimeType]]} />
      {parsed === undefined ? (
        <Notice tone="warn" title={t('inspector.templateBroken')} />
      ) : (
        <TextValuesForm
          label={t('inspector.variables')}
          entered={entered}
          values={[...new Set(parsed.variableNames)].map((name) => ({
            name,
            label: name,
            required: 'unsaid' as const,
          }))}
          suggest={suggest}
          submitLabel={t('inspector.read')}
          icon={BookOpen}
          busy={asked.busy}
          ready={readResource !== undefined}
          preview={(values) => <Address address={parsed.expand({ ...values })} />}
          onSubmit={(values) =>
            readResource !== undefined && ask(() => readResource(parsed.expand({ ...values })))
          }
        />
      )}
      <AskedAnswer asked={asked}>{({ contents }) => <ResourcePreview contents={contents} />}</AskedAnswer>
    </div>
  );
}

function Address({ address }: { readonly address: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <p className="mb-1 text-2xs font-medium text-ink-faint">{t('inspector.address')}</p>
      <output className="block rounded-lg bg-sunken px-3 py-2 text-xs [overflow-wrap:anywhere]">
        <code>{showHidden(address)}</code>
      </output>
    </div>
  );
}

function parse(uriTemplate: string): UriTemplate | undefined {
  try {
    return new UriTemplate(uriTemplate);
  } catch {
    return undefined;
  }
}
