import type { Connector } from '@portico/api';
import { AppWindow, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { accountName } from '../connectors/account-name.ts';
import { useCallableTools, useConnectors, useConsole } from '../state/console-context.tsx';
import type { ListedTool } from '../state/console-context.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { useAction } from '../ui/use-action.ts';

/** Tools shown for each connector before anything was called. */
const SHOWN_PER_CONNECTOR = 8;

/** What can be called right now, by connector. */
export function ToolShelf({ onTool }: { readonly onTool: (tool: ListedTool) => void }) {
  const { t } = useTranslation();
  const tools = useCallableTools();
  const groups = byConnector(tools);
  const waiting = useConnectors().filter(({ action }) => action === 'start');
  return (
    <div className="flex flex-col gap-6">
      {groups.map((group) => {
        const connector = group[0]?.connector;
        if (connector === undefined) return null;
        return (
          <section key={connector.id} aria-label={t('conversation.toolsOf', { connector: connector.name })}>
            <h3 className="mb-2 text-xs font-medium text-ink-faint">{connector.name}</h3>
            <ul className="flex flex-wrap gap-2">
              {group.slice(0, SHOWN_PER_CONNECTOR).map((listed) => (
                <li key={listed.tool.name}>
                  <button
                    type="button"
                    title={listed.tool.description}
                    onClick={() => onTool(listed)}
                    className="control-height inline-flex items-center gap-2 rounded-full border border-line bg-raised px-3.5 text-sm transition-colors hover:border-line-strong hover:bg-sunken"
                  >
                    {listed.tool.title ?? listed.tool.name}
                    {listed.tool.viewUri === undefined ? null : (
                      <AppWindow aria-hidden className="size-3.5 text-accent" />
                    )}
                  </button>
                </li>
              ))}
              {group.length > SHOWN_PER_CONNECTOR ? (
                <li className="self-center text-xs text-ink-faint">
                  {t('conversation.moreTools', { count: group.length - SHOWN_PER_CONNECTOR })}
                </li>
              ) : null}
            </ul>
          </section>
        );
      })}
      {waiting.map((connector) => (
        <WaitingConnector key={connector.id} connector={connector} />
      ))}
    </div>
  );
}

/** What a connector offers is not known before it has started. */
function WaitingConnector({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const starting = useAction();
  const name = accountName(connector);
  return (
    <section aria-label={t('conversation.toolsOf', { connector: name })}>
      <h3 className="mb-2 text-xs font-medium text-ink-faint">{name}</h3>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          aria-disabled={starting.busy || undefined}
          aria-label={`${t('connectors.start')}: ${name}`}
          onClick={() => (starting.busy ? undefined : void starting.run(() => api.reconnect(connector.id)))}
          className="control-height inline-flex items-center gap-2 rounded-full border border-dashed border-line-strong px-3.5 text-sm text-ink-soft transition-colors hover:bg-hover hover:text-ink"
        >
          <Play aria-hidden className="size-3.5" />
          {t('connectors.start')}
        </button>
        <span className="text-xs text-ink-faint">{t('connectors.waitsTitle')}</span>
      </div>
      <ActionError error={starting.error} />
    </section>
  );
}

/** Tools come ordered by connector already. */
function byConnector(tools: readonly ListedTool[]): readonly (readonly ListedTool[])[] {
  const ids = [...new Set(tools.map(({ connector }) => connector.id))];
  return ids.map((id) => tools.filter(({ connector }) => connector.id === id));
}
