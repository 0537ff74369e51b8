import type { Connector, ToolInfo } from '@portico/api';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonTree } from '../conversation/json-tree.tsx';
import { isUsable } from '../state/console-context.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { showHiddenInLines } from '../ui/visible-text.ts';
import { ToolHints } from './tool-hints.tsx';

export function ToolDetails({ connector, tool }: { readonly connector: Connector; readonly tool: ToolInfo }) {
  const { t } = useTranslation();
  const callable = tool.visibility.includes('model') && isUsable(connector.status);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center gap-1">
        <code className="min-w-0 text-xs text-ink-soft [overflow-wrap:anywhere]">{tool.name}</code>
        <CopyButton text={tool.name} label={t('connectors.copyToolName')} />
      </div>
      {callable ? (
        <Link
          to="/"
          search={{ connector: connector.id, tool: tool.name }}
          className="control-height inline-flex w-fit items-center gap-2 rounded-lg bg-accent px-3.5 text-sm font-medium text-on-accent shadow-card transition-colors hover:bg-accent-strong"
        >
          <Play aria-hidden className="size-4" />
          {t('connectors.callTool')}
        </Link>
      ) : null}
      {tool.description === undefined ? null : (
        <p dir="auto" className="text-sm whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
          {showHiddenInLines(tool.description)}
        </p>
      )}
      <Section title={t('connectors.hints')}>
        <ToolHints annotations={tool.annotations} />
      </Section>
      {tool.viewUri === undefined ? null : (
        <Section title={t('connectors.view')}>
          <code className="text-xs [overflow-wrap:anywhere]">{tool.viewUri}</code>
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
