import type { Connector } from '@portico/api';
import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import { Hourglass, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isUsable } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { EmptyState, Loading } from '../ui/states.tsx';
import { problemCode } from './mcp-problem.ts';

export interface McpPlaceProps {
  readonly connector: Connector;
  readonly children: ReactNode;
}

/** What of a server decides whether its lists can be shown. */
interface Line {
  /** It was there since this page has looked at it. */
  readonly served: boolean;
  readonly state: McpServer['state'];
  readonly error: string | undefined;
  readonly code: string | undefined;
  readonly retry: () => void;
}

function lineOf(server: McpServer | undefined): Line | undefined {
  if (server === undefined) return undefined;
  const { state, error, failure, client, retry } = server;
  return { served: client !== null, state, error, code: failure?.code, retry };
}

function sameLine(a: Line | undefined, b: Line | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.served === b.served && a.state === b.state && a.error === b.error && a.code === b.code;
}

/**
 * The place of something that a server tells. While this page has no connection to it, it says how that stands
 * instead; what was told before a loss stays, with a word above it.
 */
export function McpPlace({ connector, children }: McpPlaceProps) {
  const { t } = useTranslation();
  const line = useMcpServer(connector.id, lineOf, sameLine);
  if (!isUsable(connector.status)) {
    if (connector.status === 'connecting') return <Loading label={t('inspector.connectorConnecting')} />;
    if (connector.action === 'start') {
      return (
        <EmptyState icon={Hourglass} title={t('connectors.waitsTitle')}>
          {t('connectors.waitsHint')}
        </EmptyState>
      );
    }
    return (
      <EmptyState icon={Unplug} title={t('inspector.unknown')}>
        {t('inspector.unknownHint')}
      </EmptyState>
    );
  }
  if (line === undefined) return <Loading label={t('inspector.connecting')} />;
  if (line.served) {
    return (
      <>
        {line.state === 'ready' ? null : (
          <div className="mb-4">
            <LineNotice line={line} />
          </div>
        )}
        {children}
      </>
    );
  }
  return line.state === 'discovering' ? (
    <Loading label={t('inspector.connecting')} />
  ) : (
    <LineNotice line={line} />
  );
}

function LineNotice({ line: { state, error, code, retry, served } }: { readonly line: Line }) {
  const { t } = useTranslation();
  const failed = state === 'failed';
  return (
    <Notice
      tone={failed && !served ? 'danger' : 'warn'}
      title={served ? t('inspector.lineLost') : t('inspector.lineFailed')}
      actions={failed ? <Button onClick={retry}>{t('general.retry')}</Button> : undefined}
    >
      {code === undefined ? null : <p>{t(`inspector.problem.${problemCode(code)}`)}</p>}
      {error === undefined ? null : <p className="text-xs text-ink-faint">{error}</p>}
    </Notice>
  );
}
