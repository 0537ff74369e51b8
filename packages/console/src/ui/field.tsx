import { CircleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import { classNames } from './class-names.ts';

export const CONTROL_LOOK =
  'control-height w-full rounded-lg border border-line-strong/55 bg-raised px-3 py-[0.4375rem] text-sm text-ink ' +
  'transition-colors hover:border-line-strong focus-visible:border-focus ' +
  'focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-focus ' +
  'aria-invalid:border-danger narrow:text-[1rem]';

export interface FieldFrameProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly optional?: string;
  /** Shown at the end of the label's line. */
  readonly action?: ReactNode;
  readonly children: (ids: FieldIds) => ReactNode;
}

export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** Label, control, hint and error, tied together for everybody. */
export function FieldFrame({ label, hint, error, optional, action, children }: FieldFrameProps) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  const describedBy = described.filter((part) => part !== '').join(' ');
  return (
    <div className="min-w-0">
      <div className="mb-1.5 flex min-h-6 items-baseline gap-2">
        <label htmlFor={id} className="min-w-0 text-xs font-medium text-ink [overflow-wrap:anywhere]">
          {label}
        </label>
        {optional === undefined ? null : <span className="text-2xs text-ink-faint">{optional}</span>}
        <span className="ms-auto">{action}</span>
      </div>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error === undefined ? null : <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint === undefined ? null : (
        <div id={`${id}-hint`} className="mt-1.5 text-xs text-ink-faint [overflow-wrap:anywhere]">
          {hint}
        </div>
      )}
    </div>
  );
}

export function FieldError({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex items-start gap-1.5 text-xs text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}

type TextFieldProps = Omit<FieldFrameProps, 'children'> & Omit<ComponentProps<'input'>, 'id'>;

export function TextField({ label, hint, error, optional, action, className, ...input }: TextFieldProps) {
  const frame = { label, hint, error, action, ...(optional === undefined ? {} : { optional }) };
  return (
    <FieldFrame {...frame}>
      {(ids) => (
        <input
          {...ids}
          {...input}
          autoComplete="off"
          spellCheck={false}
          className={classNames(CONTROL_LOOK, className)}
        />
      )}
    </FieldFrame>
  );
}

type TextAreaFieldProps = Omit<FieldFrameProps, 'children'> & Omit<ComponentProps<'textarea'>, 'id'>;

export function TextAreaField({
  label,
  hint,
  error,
  optional,
  action,
  className,
  ...input
}: TextAreaFieldProps) {
  const frame = { label, hint, error, action, ...(optional === undefined ? {} : { optional }) };
  return (
    <FieldFrame {...frame}>
      {(ids) => (
        <textarea
          {...ids}
          {...input}
          autoComplete="off"
          spellCheck={false}
          className={classNames(CONTROL_LOOK, 'block resize-y', className)}
        />
      )}
    </FieldFrame>
  );
}
