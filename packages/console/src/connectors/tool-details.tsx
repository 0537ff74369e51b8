import type { Connector } from '@portico/api';
import { getToolUi } from '@portico/spec';
import type { Tool } from '@portico/spec';
import { Link } from '@tanstack/react-router';
import { MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonTree } from '../conversation/json-tree.tsx';
import { ToolTrial } from '../inspector/tool-trial.tsx';
import type { ToolDesk } from '../inspector/tool-trial.tsx';
import { isUsable } from '../state/console-context.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { showHiddenInLines } from '../ui/visible-text.ts';
import { ToolHints } from './tool-hints.tsx';

export interface ToolDetailsProps {
  readonly connector: Connector;
  readonly tool: Tool;
  readonly desk: ToolDesk;
}

export function ToolDetails({ connector, tool, desk }: ToolDetailsProps) {
  const { t } = useTranslation();
  const { visibility, resourceUri } = getToolUi(tool);
  const callable = visibility.includes('model') && isUsable(connector.status);
  return (
    <div className="flex flex-col gap-5">
      <div>
        <div className="flex items-center gap-1">
          <code className="min-w-0 text-xs text-ink-soft [overflow-wrap:anywhere]">{tool.name}</code>
          <CopyButton text={tool.name} label={t('connectors.copyToolName')} />
        </div>
        {tool.description === undefined ? null : (
          <p dir="auto" className="mt-1 text-sm whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
            {showHiddenInLines(tool.description)}
          </p>
        )}
      </div>
      <Section title={t('inspector.tryIt')}>
        <ToolTrial connector={connector} tool={tool} desk={desk} />
      </Section>
      <Section title={t('connectors.hints')}>
        <ToolHints annotations={tool.annotations} />
      </Section>
      {resourceUri === undefined ? null : (
        <Section title={t('connectors.view')}>
          <code className="text-xs [overflow-wrap:anywhere]">{resourceUri}</code>
        </Section>
      )}
      <Section title={t('connectors.inputSchema')}>
        <JsonTree value={tool.inputSchema} label={t('connectors.inputSchema')} openDepth={2} />
      </Section>
      {tool.outputSchema === undefined ? null : (
        <Section title={t('connectors.outputSchema')}>
          <JsonTree value={tool.outputSchema} label={t('connectors.outputSchema')} openDepth={1} />
        </Section>
      )}
      {callable ? (
        <Link
          to="/"
          search={{ connector: connector.id, tool: tool.name }}
          className="control-height inline-flex w-fit items-center gap-2 text-sm text-accent underline-offset-2 hover:underline"
        >
          <MessageSquareText aria-hidden className="size-4" />
          {t('connectors.callTool')}
        </Link>
      ) : null}
    </div>
  );
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 text-2xs font-medium text-ink-faint">{title}</h3>
      {children}
    </section>
  );
}
