import { Switch } from 'radix-ui';
import type { ReactNode } from 'react';
import { useId } from 'react';

export interface ToggleProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

export function Toggle({ label, hint, checked, onChange, disabled = false }: ToggleProps) {
  const id = useId();
  return (
    <div className="control-height flex items-center gap-3">
      <Switch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="relative h-5.5 w-9.5 shrink-0 rounded-full bg-line-strong transition-colors data-[state=checked]:bg-accent disabled:opacity-45 after:absolute after:-inset-2.5"
      >
        <Switch.Thumb className="block size-4.5 translate-x-0.5 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-4.5 rtl:-translate-x-0.5 rtl:data-[state=checked]:-translate-x-4.5" />
      </Switch.Root>
      <div className="min-w-0">
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {hint === undefined ? null : (
          <p id={`${id}-hint`} className="text-xs text-ink-faint">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
