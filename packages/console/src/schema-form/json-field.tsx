import { useTranslation } from 'react-i18next';
import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { CONTROL_LOOK, FieldFrame } from '../ui/field.tsx';
import { parseJson, printJson } from './field-text.ts';
import { useForm } from './form-context.tsx';
import type { NodeFieldProps } from './form-context.tsx';
import { withDraft, withValue } from './form-state.ts';
import { getAt, pointerOf, sameJson } from './json-value.ts';
import { labelOf, useFieldError } from './field-parts.tsx';

/** Any value as JSON text: for schemas without a control of their own and values that do not fit one. */
export function JsonField({ node, path, label, required }: NodeFieldProps) {
  const { t } = useTranslation();
  const { form, change } = useForm();
  const error = useFieldError(path);
  const value = getAt(form.value, path);
  const draft = form.drafts[pointerOf(path)];
  const [typed, setTyped] = useState(() => printJson(value));
  const parsed = parseJson(typed);
  // What was typed stays as it was, spaces included, until the value becomes another one.
  const text = draft?.text ?? (parsed.ok && sameJson(parsed.value, value) ? typed : printJson(value));
  const type = (next: string): void => {
    setTyped(next);
    const outcome = parseJson(next);
    if (outcome.ok) change((current) => withValue(current, path, outcome.value));
    else change((current) => withDraft(current, path, outcome.draft));
  };
  return (
    <FieldFrame
      label={
        <>
          {labelOf(node, label)} <span className="font-normal text-ink-faint">{t('form.asJson')}</span>
        </>
      }
      hint={node.description}
      error={error}
      {...(required ? {} : { optional: t('general.optional') })}
    >
      {(ids) => (
        <textarea
          {...ids}
          dir="ltr"
          rows={Math.min(14, Math.max(2, text.split('\n').length))}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => type(target.value)}
          className={classNames(CONTROL_LOOK, 'block resize-y font-code text-xs leading-5')}
        />
      )}
    </FieldFrame>
  );
}
