import type { FormNode } from './form-node.ts';
import { getAt, isJsonObject, pointerOf, sameJson, setAt } from './json-value.ts';
import type { JsonValue, Step } from './json-value.ts';

/** Typed text that stands for no value yet, such as `1e`. */
export interface FieldDraft {
  readonly text: string;
  readonly problem: 'not_a_number' | 'not_an_integer' | 'inexact_number' | 'not_json';
}

/**
 * A form is the value it stands for, the drafts of fields whose text is no value, and the branches a
 * person chose. The value is never derived from controls, so nothing the form cannot show is lost.
 */
export interface FormState {
  readonly value: JsonValue | undefined;
  readonly drafts: Readonly<Record<string, FieldDraft>>;
  readonly branches: Readonly<Record<string, number>>;
}

export function formFromJson(value: JsonValue | undefined): FormState {
  return { value, drafts: {}, branches: {} };
}

/** The value to send; undefined while a draft stands in the way. */
export function jsonFromForm(form: FormState): JsonValue | undefined {
  return Object.keys(form.drafts).length > 0 ? undefined : form.value;
}

/** Sets or removes the value at a path and drops what was typed there before. */
export function withValue(form: FormState, path: readonly Step[], value: JsonValue | undefined): FormState {
  return {
    ...form,
    value: setAt(form.value, path, value),
    drafts: dropBelow(form.drafts, pointerOf(path)),
  };
}

export function withDraft(form: FormState, path: readonly Step[], draft: FieldDraft): FormState {
  return { ...form, drafts: { ...form.drafts, [pointerOf(path)]: draft } };
}

/** Chooses a branch of a union and starts it with that branch's own beginning. */
export function withBranch(
  form: FormState,
  path: readonly Step[],
  choice: { readonly index: number; readonly node: FormNode },
): FormState {
  const pointer = pointerOf(path);
  const kept = getAt(form.value, path);
  const started = carryOver(kept, choice.node);
  const next = withValue({ ...form, branches: dropBelow(form.branches, pointer) }, path, started);
  return { ...next, branches: { ...next.branches, [pointer]: choice.index } };
}

/** Removing a list entry moves those after it, so their drafts and choices are dropped. */
export function withoutEntry(form: FormState, path: readonly Step[], index: number): FormState {
  const pointer = pointerOf(path);
  return {
    value: setAt(form.value, [...path, index], undefined),
    drafts: dropBelow(form.drafts, pointer),
    branches: dropBelow(form.branches, pointer),
  };
}

/** Fields of the same name survive a change of branch, unless the new branch fixes them. */
function carryOver(value: JsonValue | undefined, node: FormNode): JsonValue | undefined {
  const start = initialValue(node);
  if (node.kind !== 'record' || !isJsonObject(value)) return start;
  const fresh = isJsonObject(start) ? start : {};
  const kept = node.fields
    .filter(({ name }) => Object.hasOwn(value, name) && !Object.hasOwn(fresh, name))
    .map(({ name }): [string, JsonValue] => [name, value[name] ?? null]);
  return { ...fresh, ...Object.fromEntries(kept) };
}

function dropBelow<T>(record: Readonly<Record<string, T>>, pointer: string): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => key !== pointer && !key.startsWith(`${pointer}/`)),
  );
}

const MAX_PREFILL_DEPTH = 8;

/** What a fresh form holds: defaults, constants and the frame of required objects, nothing made up. */
export function initialValue(node: FormNode, depth = 0): JsonValue | undefined {
  if (node.default !== undefined) return node.default;
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'choice':
      return node.options.length === 1 ? node.options[0]?.value : undefined;
    case 'boolean':
      return node.nullable ? undefined : false;
    case 'record':
      return depth > MAX_PREFILL_DEPTH ? {} : initialRecord(node, depth);
    case 'union': {
      const first = node.branches[0];
      if (first === undefined || node.nullable || depth > MAX_PREFILL_DEPTH) return undefined;
      const inner = first.node();
      return inner.kind === 'record' ? initialValue(inner, depth + 1) : undefined;
    }
    case 'text':
    case 'number':
    case 'list':
    case 'json':
      return undefined;
  }
}

function initialRecord(node: FormNode & { readonly kind: 'record' }, depth: number): JsonValue {
  const entries: [string, JsonValue][] = [];
  for (const field of node.fields) {
    const inner = field.node();
    const value = field.required ? initialValue(inner, depth + 1) : inner.default;
    if (value !== undefined) entries.push([field.name, value]);
  }
  return Object.fromEntries(entries);
}

/** Index of the branch that a value belongs to: the person's choice, else the best fit. */
export function branchFor(
  node: FormNode & { readonly kind: 'union' },
  value: JsonValue | undefined,
  chosen: number | undefined,
): number {
  if (chosen !== undefined && chosen < node.branches.length) return chosen;
  const scores = node.branches.map((branch) => fit(branch.node(), value, 0));
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}

/** How well a value suits a node; constants, which tag unions, count most. */
function fit(node: FormNode, value: JsonValue | undefined, depth: number): number {
  if (value === undefined || depth > MAX_PREFILL_DEPTH) return 0;
  if (value === null && node.nullable) return 1;
  switch (node.kind) {
    case 'constant':
      return sameJson(node.value, value) ? 50 : -50;
    case 'choice':
      return node.options.some((option) => sameJson(option.value, value)) ? 10 : -10;
    case 'text':
      return typeof value === 'string' ? 5 : -20;
    case 'number':
      return typeof value === 'number' && (!node.integer || Number.isInteger(value))
        ? node.integer
          ? 6
          : 5
        : -20;
    case 'boolean':
      return typeof value === 'boolean' ? 5 : -20;
    case 'list':
      return Array.isArray(value) ? 5 : -20;
    case 'json':
      return 0;
    case 'union':
      return Math.max(...node.branches.map((branch) => fit(branch.node(), value, depth + 1)));
    case 'record':
      return isJsonObject(value) ? fitRecord(node, value, depth) : -20;
  }
}

function fitRecord(
  node: FormNode & { readonly kind: 'record' },
  value: Readonly<Record<string, JsonValue>>,
  depth: number,
): number {
  let score = 5;
  for (const field of node.fields) {
    if (!Object.hasOwn(value, field.name)) score -= field.required ? 5 : 0;
    else score += 1 + fit(field.node(), value[field.name], depth + 1) / 2;
  }
  const known = new Set(node.fields.map(({ name }) => name));
  return score - Object.keys(value).filter((name) => !known.has(name)).length;
}
