import { useTranslation } from 'react-i18next';
import { CONTROL_LOOK, FieldFrame } from '../ui/field.tsx';
import { useForm } from './form-context.tsx';
import type { NodeFieldProps } from './form-context.tsx';
import type { FormNode } from './form-node.ts';
import { branchFor, withBranch, withValue } from './form-state.ts';
import { getAt, pointerOf } from './json-value.ts';
import { TinyButton, labelOf, useFieldError } from './field-parts.tsx';

type UnionNode = FormNode & { kind: 'union' };

function BranchOptions({ branches }: Pick<UnionNode, 'branches'>) {
  return branches.map((branch, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- branches have no identity besides their place
    <option key={index} value={index}>
      {branch.label}
    </option>
  ));
}

export function UnionField({ node, path, label, required }: NodeFieldProps & { readonly node: UnionNode }) {
  const { t } = useTranslation();
  const { form, change, Field } = useForm();
  const error = useFieldError(path);
  const value = getAt(form.value, path);
  const chosen = form.branches[pointerOf(path)];
  const index = branchFor(node, value, chosen);
  const branch = node.branches[index];
  const unset = value === undefined && chosen === undefined;
  const name = labelOf(node, label);
  const choose = (text: string): void => {
    const next = node.branches[Number(text)];
    if (next === undefined)
      return change((current) => withValue({ ...current, branches: {} }, path, undefined));
    change((current) => withBranch(current, path, { index: Number(text), node: next.node() }));
  };
  return (
    <div className="flex flex-col gap-3">
      <FieldFrame
        label={t('form.kindOf', { field: name })}
        hint={node.description}
        error={error}
        {...(required ? {} : { optional: t('general.optional') })}
        action={
          node.nullable ? (
            <TinyButton
              label={t('form.setNull')}
              onClick={() => change((current) => withValue(current, path, null))}
            />
          ) : undefined
        }
      >
        {(ids) => (
          <select
            {...ids}
            value={unset ? -1 : index}
            onChange={({ target }) => choose(target.value)}
            className={`${CONTROL_LOOK} max-w-96`}
          >
            {unset || !required ? (
              <option value={-1}>{required ? t('form.choose') : t('form.notSet')}</option>
            ) : null}
            <BranchOptions branches={node.branches} />
          </select>
        )}
      </FieldFrame>
      {unset || branch === undefined ? null : (
        <Field key={index} node={branch.node()} path={path} label={name} required />
      )}
    </div>
  );
}
