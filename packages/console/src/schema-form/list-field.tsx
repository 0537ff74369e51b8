import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../ui/button.tsx';
import { useForm } from './form-context.tsx';
import type { NodeFieldProps } from './form-context.tsx';
import type { FormNode } from './form-node.ts';
import { initialValue, withValue, withoutEntry } from './form-state.ts';
import { getAt } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { GroupFrame } from './group-frame.tsx';
import { labelOf } from './field-parts.tsx';

/** Entries that get controls; a longer list is edited as JSON. */
const MAX_ENTRIES = 200;

export function ListField({
  node,
  path,
  label,
  required,
}: NodeFieldProps & { readonly node: FormNode & { kind: 'list' } }) {
  const { t } = useTranslation();
  const { form, change, Field } = useForm();
  const value = getAt(form.value, path);
  const entries: readonly JsonValue[] = Array.isArray(value) ? value : [];
  const item = node.item();
  const name = labelOf(node, label);
  const add = (): void => change((next) => withValue(next, [...path, entries.length], startOf(item)));
  return (
    <GroupFrame node={node} path={path} label={name} required={required} isSet={value !== undefined}>
      {entries.slice(0, MAX_ENTRIES).map((_entry, index) => (
        // Entries have no identity besides their place; removing one drops the drafts of all.
        // oxlint-disable-next-line react/no-array-index-key -- see above
        <div key={index} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Field
              node={item}
              path={[...path, index]}
              label={t('form.entry', { number: index + 1 })}
              required
            />
          </div>
          <IconButton
            label={t('form.removeEntry', { number: index + 1, field: name })}
            icon={X}
            className="mt-6.5"
            onClick={() => change((next) => withoutEntry(next, path, index))}
          />
        </div>
      ))}
      {entries.length > MAX_ENTRIES ? (
        <p className="text-xs text-ink-faint">{t('form.longList', { count: entries.length })}</p>
      ) : null}
      <div>
        <Button look="quiet" icon={Plus} className="-ms-2 px-2" onClick={add}>
          {t('form.addEntry')}
        </Button>
      </div>
    </GroupFrame>
  );
}

/** A new entry has to hold something, since a list has no holes. */
function startOf(node: FormNode): JsonValue {
  const start = initialValue(node);
  if (start !== undefined) return start;
  switch (node.kind) {
    case 'text':
      return '';
    case 'number':
      return typeof node.schema['minimum'] === 'number' ? node.schema['minimum'] : 0;
    case 'choice':
      return node.options[0]?.value ?? null;
    case 'list':
      return [];
    case 'boolean':
      return false;
    case 'union': {
      const first = node.branches[0]?.node();
      return first === undefined ? null : startOf(first);
    }
    case 'record':
      return {};
    case 'constant':
    case 'json':
      return null;
  }
}
