import { useTranslation } from 'react-i18next';
import { useForm } from './form-context.tsx';
import type { NodeFieldProps } from './form-context.tsx';
import type { FormField, FormNode } from './form-node.ts';
import { GroupFrame } from './group-frame.tsx';
import { getAt, isJsonObject } from './json-value.ts';
import { JsonField } from './json-field.tsx';
import { labelOf } from './field-parts.tsx';

type RecordNode = FormNode & { kind: 'record' };

export function RecordField({ node, path, label, required }: NodeFieldProps & { readonly node: RecordNode }) {
  const { t } = useTranslation();
  const { form, Field } = useForm();
  const value = getAt(form.value, path);
  const record = isJsonObject(value) ? value : {};
  const known = new Set(node.fields.map(({ name }) => name));
  const others = Object.keys(record).filter((name) => !known.has(name));
  return (
    <GroupFrame
      node={node}
      path={path}
      label={labelOf(node, label)}
      required={required}
      isSet={value !== undefined}
    >
      {node.fields.length === 0 && others.length === 0 && path.length === 0 ? (
        <p className="text-sm text-ink-soft">{t('form.noArguments')}</p>
      ) : null}
      {inOrder(node.fields).map((field) => (
        <Field
          key={field.name}
          node={field.node()}
          path={[...path, field.name]}
          label={field.name}
          required={field.required}
        />
      ))}
      {others.map((name) => (
        <JsonField
          key={`other:${name}`}
          node={UNKNOWN}
          path={[...path, name]}
          label={name}
          required={false}
        />
      ))}
    </GroupFrame>
  );
}

/** Fields that have to be filled come first; otherwise the schema's order stays. */
function inOrder(fields: readonly FormField[]): readonly FormField[] {
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
}

const UNKNOWN: FormNode = { kind: 'json', schema: {}, nullable: true };
