import type { Connector, ConnectorStatus } from '@portico/api';
import { useTranslation } from 'react-i18next';
import { classNames } from '../ui/class-names.ts';

const LOOKS: Readonly<Record<ConnectorStatus, { readonly dot: string; readonly text: string }>> = {
  connecting: { dot: 'breathe bg-accent', text: 'text-ink-soft' },
  ready: { dot: 'bg-good', text: 'text-ink-soft' },
  needs_sign_in: { dot: 'bg-warn', text: 'text-warn' },
  degraded: { dot: 'bg-warn', text: 'text-warn' },
  failed: { dot: 'bg-danger', text: 'text-danger' },
  stopped: { dot: 'border border-line-strong', text: 'text-ink-faint' },
  disabled: { dot: 'border border-line-strong', text: 'text-ink-faint' },
};

/** The one word for a connector's state, the same everywhere. */
export function StatusBadge({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const waits = connector.pendingApproval !== undefined;
  const look = waits ? LOOKS.needs_sign_in : LOOKS[connector.status];
  return (
    <span className={classNames('inline-flex items-center gap-1.5 text-xs whitespace-nowrap', look.text)}>
      <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', look.dot)} />
      {waits ? t('connectors.status.waiting') : t(`connectors.status.${connector.status}`)}
    </span>
  );
}

/** Whether a person has to do something about it. */
export function needsAttention(connector: Connector): boolean {
  if (connector.pendingApproval !== undefined) return true;
  return (
    connector.status === 'failed' || connector.status === 'needs_sign_in' || connector.status === 'degraded'
  );
}
