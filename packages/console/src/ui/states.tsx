import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

export interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** What to show where there is nothing yet: why, and the one thing to do about it. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 grid size-12 place-items-center rounded-2xl bg-sunken text-ink-faint">
        <Icon aria-hidden className="size-5.5" strokeWidth={1.6} />
      </span>
      <h2 className="text-base font-semibold">{title}</h2>
      {children === undefined ? null : <div className="mt-1 max-w-md text-sm text-ink-soft">{children}</div>}
      {action === undefined ? null : <div className="mt-5">{action}</div>}
    </div>
  );
}

/** After this long a wait says that it takes longer than it should, in milliseconds. */
const LONG_WAIT_MS = 8_000;

export function Loading({ label }: { readonly label?: string }) {
  const { t } = useTranslation();
  const { clock } = useConsole();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = clock.setTimer(LONG_WAIT_MS, () => setLong(true));
    return () => timer.cancel();
  }, [clock]);
  return (
    <div role="status" className="flex flex-col items-center gap-3 px-6 py-14 text-sm text-ink-faint">
      <span aria-hidden className="flex gap-1.5">
        <span className="breathe h-4 w-1 rounded-full bg-current" />
        <span className="breathe h-4 w-1 rounded-full bg-current [animation-delay:0.2s]" />
        <span className="breathe h-4 w-1 rounded-full bg-current [animation-delay:0.4s]" />
      </span>
      {long ? t('general.stillLoading') : (label ?? t('general.loading'))}
    </div>
  );
}

export interface FailureProps {
  readonly title: string;
  readonly message: string | undefined;
  readonly onRetry?: () => void;
}

export function Failure({ title, message, onRetry }: FailureProps) {
  const { t } = useTranslation();
  return (
    <Notice
      tone="danger"
      title={title}
      actions={onRetry === undefined ? undefined : <Button onClick={onRetry}>{t('general.retry')}</Button>}
    >
      {message}
    </Notice>
  );
}
