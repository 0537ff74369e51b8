import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../ui/button.tsx';
import { FieldError } from '../ui/field.tsx';
import { useForm } from './form-context.tsx';
import type { FormNode } from './form-node.ts';
import { initialValue, withValue } from './form-state.ts';
import type { Step } from './json-value.ts';
import { TinyButton, useFieldError } from './field-parts.tsx';

export interface GroupFrameProps {
  readonly node: FormNode;
  readonly path: readonly Step[];
  readonly label: string;
  readonly required: boolean;
  readonly isSet: boolean;
  readonly children: ReactNode;
}

/** Frame of a field with fields inside. While it is left out it is one button, so that schemas that contain themselves end. */
export function GroupFrame({ node, path, label, required, isSet, children }: GroupFrameProps) {
  const { t } = useTranslation();
  const { change } = useForm();
  const error = useFieldError(path);
  if (path.length === 0) return <div className="flex flex-col gap-4">{children}</div>;
  const start = (): void =>
    change((form) => withValue(form, path, initialValue(node) ?? (node.kind === 'list' ? [] : {})));
  return (
    <fieldset className="min-w-0 rounded-xl border border-line px-3.5 pt-2 pb-3.5">
      <legend className="px-1 text-xs font-medium [overflow-wrap:anywhere]">
        {label}
        {required ? null : (
          <span className="ms-2 text-2xs font-normal text-ink-faint">{t('general.optional')}</span>
        )}
      </legend>
      {node.description === undefined ? null : (
        <p className="mb-3 text-xs text-ink-faint">{node.description}</p>
      )}
      {isSet ? (
        <div className="flex flex-col gap-4">{children}</div>
      ) : (
        <Button look="quiet" icon={Plus} className="-ms-2 px-2" onClick={start}>
          {t('form.addGroup', { field: label })}
        </Button>
      )}
      {error === undefined ? null : <FieldError>{error}</FieldError>}
      <div className="mt-1 flex justify-end gap-2 empty:hidden">
        {node.nullable ? (
          <TinyButton
            label={t('form.setNull')}
            onClick={() => change((form) => withValue(form, path, null))}
          />
        ) : null}
        {isSet && !required ? (
          <IconButton
            label={t('form.clear', { field: label })}
            icon={X}
            onClick={() => change((form) => withValue(form, path, undefined))}
          />
        ) : null}
      </div>
    </fieldset>
  );
}
