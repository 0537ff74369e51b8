import type { CallStatus, ToolCall } from '@portico/api';
import type { LucideIcon } from 'lucide-react';
import { Ban, Check, CircleHelp, CircleX, Hand, KeyRound, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../i18n/format.ts';
import { useConsole } from '../state/console-context.tsx';
import { classNames } from '../ui/class-names.ts';

interface StatusLook {
  readonly icon: LucideIcon;
  readonly disc: string;
}

const LOOKS: Readonly<Record<CallStatus, StatusLook>> = {
  waiting_approval: { icon: Hand, disc: 'bg-warn-soft text-warn' },
  waiting_sign_in: { icon: KeyRound, disc: 'bg-warn-soft text-warn' },
  running: { icon: LoaderCircle, disc: 'bg-accent-soft text-accent' },
  done: { icon: Check, disc: 'bg-good-soft text-good' },
  tool_error: { icon: TriangleAlert, disc: 'bg-danger-soft text-danger' },
  failed: { icon: CircleX, disc: 'bg-danger-soft text-danger' },
  denied: { icon: Ban, disc: 'bg-sunken text-ink-faint' },
  cancelled: { icon: Ban, disc: 'bg-sunken text-ink-faint' },
  unknown: { icon: CircleHelp, disc: 'bg-warn-soft text-warn' },
};

export function CallDisc({ status }: { readonly status: CallStatus }) {
  const { t } = useTranslation();
  const { icon: Icon, disc } = LOOKS[status];
  return (
    <span className={classNames('grid size-6 shrink-0 place-items-center rounded-full', disc)}>
      <Icon
        aria-hidden
        className={classNames('size-3.5', status === 'running' && 'spin')}
        strokeWidth={2.2}
      />
      <span className="sr-only">{t(`call.status.${status}`)}</span>
    </span>
  );
}

export interface Span {
  readonly startedMs: number;
  /** Absent while it goes on. */
  readonly endedMs?: number | undefined;
}

/** Time that something took, or has been taking so far. */
export function ElapsedTime(span: Span) {
  const { i18n } = useTranslation();
  const elapsedMs = useElapsedMs(span);
  return (
    <span className="text-xs whitespace-nowrap text-ink-faint tabular-nums">
      {formatDuration(elapsedMs, i18n.language)}
    </span>
  );
}

/** Time a call took, or has been taking so far. */
export function CallTime({ call: { status, createdAtMs, endedAtMs } }: { readonly call: ToolCall }) {
  if (endedAtMs === undefined && status !== 'running') return null;
  return <ElapsedTime startedMs={createdAtMs} endedMs={endedAtMs} />;
}

function useElapsedMs({ startedMs, endedMs }: Span): number {
  const { clock } = useConsole();
  const running = endedMs === undefined;
  const [nowMs, setNowMs] = useState(() => clock.now());
  useEffect(() => {
    if (!running) return;
    const timer = clock.setTimer(500, () => setNowMs(clock.now()));
    return () => timer.cancel();
  }, [running, nowMs, clock]);
  return Math.max(0, (endedMs ?? nowMs) - startedMs);
}
