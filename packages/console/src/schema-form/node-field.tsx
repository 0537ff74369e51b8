import { useTranslation } from 'react-i18next';
import { X } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import { FieldFrame } from '../ui/field.tsx';
import { Toggle } from '../ui/toggle.tsx';
import { controlShows } from './field-text.ts';
import { TinyButton, labelOf, useFieldError } from './field-parts.tsx';
import { useForm } from './form-context.tsx';
import type { NodeFieldProps } from './form-context.tsx';
import { withValue } from './form-state.ts';
import { getAt } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { JsonField } from './json-field.tsx';
import { ListField } from './list-field.tsx';
import { RecordField } from './record-field.tsx';
import { ChoiceControl, NumberControl, TextControl } from './value-controls.tsx';
import { UnionField } from './union-field.tsx';

/** The control for one node, or the JSON editor where no control can show the value. */
export function NodeField(props: NodeFieldProps) {
  const { form } = useForm();
  const value = getAt(form.value, props.path);
  const { node } = props;
  if (!controlShows(node, value)) return <JsonField {...props} />;
  if (value === null && node.nullable && node.kind !== 'choice') return <NullField {...props} />;
  switch (node.kind) {
    case 'json':
      return <JsonField {...props} />;
    case 'record':
      return <RecordField {...props} node={node} />;
    case 'list':
      return <ListField {...props} node={node} />;
    case 'union':
      return <UnionField {...props} node={node} />;
    case 'boolean':
      return props.required && !node.nullable ? (
        <ToggleField {...props} />
      ) : (
        <ValueField {...props} value={value} />
      );
    case 'text':
    case 'number':
    case 'choice':
    case 'constant':
      return <ValueField {...props} value={value} />;
  }
}

function ValueField({
  node,
  path,
  label,
  required,
  value,
}: NodeFieldProps & { readonly value: JsonValue | undefined }) {
  const { t } = useTranslation();
  const { change } = useForm();
  const error = useFieldError(path);
  const clearable = !required && value !== undefined && node.kind !== 'choice' && node.kind !== 'boolean';
  return (
    <FieldFrame
      label={labelOf(node, label)}
      hint={node.description}
      error={error}
      {...(required ? {} : { optional: t('general.optional') })}
      action={
        <>
          {node.nullable && node.kind !== 'choice' && value !== null ? (
            <TinyButton
              label={t('form.setNull')}
              onClick={() => change((form) => withValue(form, path, null))}
            />
          ) : null}
          {clearable ? (
            <IconButton
              label={t('form.clear', { field: labelOf(node, label) })}
              icon={X}
              className="-my-1.5 size-6"
              onClick={() => change((form) => withValue(form, path, undefined))}
            />
          ) : null}
        </>
      }
    >
      {(ids) => {
        const props = { ids, path, value, required };
        if (node.kind === 'number') return <NumberControl {...props} node={node} />;
        if (node.kind === 'text') return <TextControl {...props} node={node} />;
        return <ChoiceControl {...props} node={node} />;
      }}
    </FieldFrame>
  );
}

function ToggleField({ node, path, label }: NodeFieldProps) {
  const { form, change } = useForm();
  const value = getAt(form.value, path);
  return (
    <Toggle
      label={labelOf(node, label)}
      hint={node.description}
      checked={value === true}
      onChange={(checked) => change((next) => withValue(next, path, checked))}
    />
  );
}

/** A field that holds `null`, which is something else than being left out. */
function NullField({ node, path, label, required }: NodeFieldProps) {
  const { t } = useTranslation();
  const { change } = useForm();
  const error = useFieldError(path);
  return (
    <FieldFrame
      label={labelOf(node, label)}
      hint={node.description}
      error={error}
      {...(required ? {} : { optional: t('general.optional') })}
      action={
        <TinyButton
          label={t('form.unsetNull')}
          onClick={() => change((form) => withValue(form, path, undefined))}
        />
      }
    >
      {(ids) => (
        <output
          {...ids}
          className="control-height flex items-center rounded-lg border border-dashed border-line-strong/60 px-3 text-xs text-ink-faint"
        >
          {t('form.isNull')}
        </output>
      )}
    </FieldFrame>
  );
}
