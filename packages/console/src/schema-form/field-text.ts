import type { FieldDraft } from './form-state.ts';
import type { FormNode } from './form-node.ts';
import { isJsonObject } from './json-value.ts';
import type { JsonValue } from './json-value.ts';

/** A text that a control cannot hold unchanged: browsers normalise carriage returns and drop NUL. */
const UNTYPABLE = /[\r\0\p{Cs}]/u;

/** Whether the node's own control can show the value; otherwise the JSON editor does. */
export function controlShows(node: FormNode, value: JsonValue | undefined): boolean {
  if (value === undefined || (value === null && node.nullable)) return true;
  switch (node.kind) {
    case 'text':
      return typeof value === 'string' && !UNTYPABLE.test(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value);
    case 'record':
      return isJsonObject(value);
    case 'choice':
    case 'constant':
    case 'union':
    case 'json':
      return true;
  }
}

export type Parsed =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly draft: FieldDraft };

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads typed text as a number exactly, or says why it is none; blank text is no value. */
export function parseNumber(text: string, integer: boolean): Parsed {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: true, value: undefined };
  const value = Number(trimmed);
  if (!NUMBER.test(trimmed) || !Number.isFinite(value)) return refuse(text, 'not_a_number');
  if (integer && !Number.isInteger(value)) return refuse(text, 'not_an_integer');
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return refuse(text, 'inexact_number');
  return { ok: true, value };
}

/** Reads the text of a JSON editor; blank text is no value. */
export function parseJson(text: string): Parsed {
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch {
    return refuse(text, 'not_json');
  }
}

const refuse = (text: string, problem: FieldDraft['problem']): Parsed => ({
  ok: false,
  draft: { text, problem },
});

export function printJson(value: JsonValue | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, undefined, 2);
}
