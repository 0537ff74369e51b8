import { HostError } from '../errors.ts';

/** The value as JSON text. Throws HostError `unsupported_value` for what JSON cannot hold. */
export function toJson(value: unknown): string {
  // Also escapes NUL and half surrogates, which text columns do not take.
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new HostError('unsupported_value', { data: { type: typeof value } });
  return text;
}

/** Reads back what `toJson` wrote; only records of this host are stored, so the type is known. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
