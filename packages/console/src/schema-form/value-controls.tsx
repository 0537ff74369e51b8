import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../ui/class-names.ts';
import { CONTROL_LOOK } from '../ui/field.tsx';
import type { FieldIds } from '../ui/field.tsx';
import { parseNumber } from './field-text.ts';
import { useForm } from './form-context.tsx';
import type { ChoiceOption, FormNode } from './form-node.ts';
import { withDraft, withValue } from './form-state.ts';
import { pointerOf, sameJson } from './json-value.ts';
import type { JsonValue, Step } from './json-value.ts';

interface ControlProps {
  readonly ids: FieldIds;
  readonly path: readonly Step[];
  readonly value: JsonValue | undefined;
  readonly required: boolean;
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '13:45:00Z',
  'date-time': '2026-01-31T13:45:00Z',
  email: 'name@example.com',
  uri: 'https://example.com/',
};
const INPUT_MODES = { email: 'email', uri: 'url' } as const;

/** Text as typed. A text area, since an input would drop line breaks. */
export function TextControl({
  ids,
  path,
  value,
  required,
  node,
}: ControlProps & { readonly node: FormNode & { kind: 'text' } }) {
  const { t } = useTranslation();
  const { change } = useForm();
  const text = typeof value === 'string' ? value : '';
  const format = node.format ?? '';
  const placeholder = value === '' ? t('form.emptyText') : PLACEHOLDERS[format];
  return (
    <textarea
      {...ids}
      rows={1}
      dir="auto"
      value={text}
      required={required}
      placeholder={placeholder}
      spellCheck={format === ''}
      inputMode={
        Object.hasOwn(INPUT_MODES, format) ? INPUT_MODES[format as keyof typeof INPUT_MODES] : 'text'
      }
      onChange={({ target }) =>
        change((form) => withValue(form, path, target.value === '' && !required ? undefined : target.value))
      }
      className={classNames(
        CONTROL_LOOK,
        'block max-h-80 resize-y [field-sizing:content]',
        text.includes('\n') && 'min-h-24',
      )}
    />
  );
}

export function NumberControl({
  ids,
  path,
  value,
  required,
  node,
}: ControlProps & { readonly node: FormNode & { kind: 'number' } }) {
  const { form, change } = useForm();
  const draft = form.drafts[pointerOf(path)];
  const type = (text: string): void => {
    const parsed = parseNumber(text, node.integer);
    if (!parsed.ok) change((next) => withDraft(next, path, parsed.draft));
    // Text like `1.50` is a number already, but must stay as typed while it is typed on.
    else change((next) => withValue(next, path, parsed.value));
  };
  const { minimum, maximum } = node.schema;
  const range =
    typeof minimum === 'number' && typeof maximum === 'number' ? `${minimum} – ${maximum}` : undefined;
  return (
    <TypedNumber
      key={pointerOf(path)}
      ids={ids}
      draft={draft?.text}
      value={typeof value === 'number' ? value : undefined}
      required={required}
      placeholder={range}
      integer={node.integer}
      onType={type}
    />
  );
}

interface TypedNumberProps {
  readonly ids: FieldIds;
  readonly draft: string | undefined;
  readonly value: number | undefined;
  readonly required: boolean;
  readonly placeholder: string | undefined;
  readonly integer: boolean;
  readonly onType: (text: string) => void;
}

/** Keeps the typed text as long as it still means the value, so that `1.0` can become `1.05`. */
function TypedNumber({ ids, draft, value, required, placeholder, integer, onType }: TypedNumberProps) {
  const [typed, setTyped] = useState('');
  const parsed = parseNumber(typed, integer);
  const meansValue = parsed.ok && parsed.value === value && typed !== '';
  return (
    <input
      {...ids}
      inputMode={integer ? 'numeric' : 'decimal'}
      autoComplete="off"
      required={required}
      placeholder={placeholder}
      value={draft ?? (meansValue ? typed : value === undefined ? '' : String(value))}
      onChange={({ target }) => {
        setTyped(target.value);
        onType(target.value);
      }}
      className={classNames(CONTROL_LOOK, 'max-w-60 tabular-nums')}
    />
  );
}

type ChoiceNode = FormNode & { kind: 'choice' | 'boolean' | 'constant' | 'text' | 'number' };

/** A native select over values of any JSON kind; "not set" leaves the field out. */
export function ChoiceControl({
  ids,
  path,
  value,
  required,
  node,
}: ControlProps & { readonly node: FormNode }) {
  const { t } = useTranslation();
  const { change } = useForm();
  const options = withNull(
    optionsOf(node as ChoiceNode, [t('form.yes'), t('form.no')]),
    node.nullable,
    t('form.isNull'),
  );
  const index = options.findIndex((option) => value !== undefined && sameJson(option.value, value));
  const strange = value !== undefined && index === -1;
  return (
    <select
      {...ids}
      value={strange ? 'strange' : index}
      required={required}
      onChange={({ target }) => change((form) => withValue(form, path, options[Number(target.value)]?.value))}
      className={classNames(CONTROL_LOOK, 'max-w-96 pe-8')}
    >
      {required && index !== -1 ? null : (
        <option value={-1}>{required ? t('form.choose') : t('form.notSet')}</option>
      )}
      {strange ? <option value="strange">{JSON.stringify(value)}</option> : null}
      {options.map((option, at) => (
        <option key={JSON.stringify(option.value)} value={at}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function withNull(
  options: readonly ChoiceOption[],
  nullable: boolean,
  label: string,
): readonly ChoiceOption[] {
  if (!nullable || options.some(({ value }) => value === null)) return options;
  return [...options, { value: null, label }];
}

function optionsOf(node: ChoiceNode, [yes, no]: readonly [string, string]): readonly ChoiceOption[] {
  if (node.kind === 'choice') return node.options;
  if (node.kind === 'constant') return [{ value: node.value, label: JSON.stringify(node.value) }];
  return [
    { value: true, label: yes },
    { value: false, label: no },
  ];
}
