import type { LucideIcon } from 'lucide-react';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const TONES = {
  calm: { box: 'border-line bg-sunken', mark: 'text-ink-faint', icon: Info },
  accent: { box: 'border-accent-line bg-accent-soft', mark: 'text-accent', icon: Info },
  warn: { box: 'border-warn-line bg-warn-soft', mark: 'text-warn', icon: TriangleAlert },
  danger: { box: 'border-danger-line bg-danger-soft', mark: 'text-danger', icon: CircleAlert },
} as const satisfies Record<string, { box: string; mark: string; icon: LucideIcon }>;

export type Tone = keyof typeof TONES;

export interface NoticeProps {
  readonly tone?: Tone;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Spoken at once; only for things that just went wrong. */
  readonly alert?: boolean;
}

export function Notice({ tone = 'calm', title, children, actions, alert = false }: NoticeProps) {
  const { box, mark, icon: Icon } = TONES[tone];
  return (
    <div
      role={alert ? 'alert' : undefined}
      className={classNames('flex gap-3 rounded-xl border px-3.5 py-3', box)}
    >
      <Icon aria-hidden className={classNames('mt-0.5 size-4.5 shrink-0', mark)} />
      <div className="min-w-0 flex-1 text-sm">
        {title === undefined ? null : <div className="font-medium [overflow-wrap:anywhere]">{title}</div>}
        {children === undefined ? null : (
          <div className="text-ink-soft [overflow-wrap:anywhere]">{children}</div>
        )}
        {actions === undefined ? null : <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
