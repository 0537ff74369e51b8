import type { LucideIcon } from 'lucide-react';
import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong shadow-card font-medium',
  outline: 'bg-raised border border-line hover:bg-sunken hover:border-line-strong shadow-card font-medium',
  quiet: 'text-ink-soft hover:bg-hover hover:text-ink',
  danger: 'bg-danger text-surface hover:bg-danger-strong shadow-card font-medium',
} as const;

export type ButtonLook = keyof typeof LOOKS;

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'title'> {
  readonly look?: ButtonLook;
  readonly icon?: LucideIcon;
  /** The action runs: the button stays focused but does nothing. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

export function Button({
  look = 'outline',
  icon: Icon,
  busy = false,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={classNames(
        'control-height inline-flex items-center justify-center gap-2 rounded-lg px-3.5 text-sm select-none',
        'transition-colors disabled:opacity-45 whitespace-nowrap',
        LOOKS[look],
        className,
      )}
      {...rest}
    >
      {busy ? <LoaderCircle aria-hidden className="spin size-4 shrink-0" /> : null}
      {!busy && Icon !== undefined ? (
        <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.9} />
      ) : null}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly label: string;
  readonly icon: LucideIcon;
}

export function IconButton({ label, icon: Icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames(
        'inline-grid size-8 narrow:size-11 shrink-0 place-items-center rounded-md text-ink-faint',
        'transition-colors hover:bg-hover hover:text-ink disabled:opacity-45 aria-expanded:bg-hover aria-expanded:text-ink',
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden className="size-4" strokeWidth={1.9} />
    </button>
  );
}
