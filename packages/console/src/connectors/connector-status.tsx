import type { Connector, ConnectorStatus } from '@portico/api';
import { useTranslation } from 'react-i18next';
import { classNames } from '../ui/class-names.ts';

const LOOKS: Readonly<Record<ConnectorStatus, { readonly dot: string; readonly text: string }>> = {
  connecting: { dot: 'breathe bg-accent', text: 'text-ink-soft' },
  ready: { dot: 'bg-good', text: 'text-ink-soft' },
  needs_sign_in: { dot: 'bg-warn', text: 'text-warn' },
  signing_in: { dot: 'breathe bg-warn', text: 'text-warn' },
  degraded: { dot: 'bg-warn', text: 'text-warn' },
  failed: { dot: 'bg-danger', text: 'text-danger' },
  stopped: { dot: 'border border-line-strong', text: 'text-ink-faint' },
  disabled: { dot: 'border border-line-strong', text: 'text-ink-faint' },
};

/** The one word for a connector's state, the same everywhere (K27). */
export function StatusBadge({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const look =
    needsAttention(connector) && connector.status === 'stopped' ? LOOKS.degraded : LOOKS[connector.status];
  return (
    <span className={classNames('inline-flex items-center gap-1.5 text-xs whitespace-nowrap', look.text)}>
      <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', look.dot)} />
      {t(`connectors.status.${connector.status}`)}
    </span>
  );
}

/** Whether a person has to do something about it. */
export function needsAttention({ pendingApproval, problem, status }: Connector): boolean {
  if (pendingApproval !== undefined) return true;
  return (
    status === 'failed' ||
    status === 'needs_sign_in' ||
    status === 'signing_in' ||
    status === 'degraded' ||
    // Given up after crashing too often.
    (status === 'stopped' && problem !== undefined)
  );
}
