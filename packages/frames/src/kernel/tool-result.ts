import { hasOwn, isArray, isFiniteNumber, isObject, keysOf, own, parseJson, put } from './builtins.ts';
import { createFailure } from './failure.ts';
import type { Failure } from './failure.ts';

/** Fields of a result that are the runtime's to give, never the connector's. */
function isReserved(key: string): boolean {
  return key === 'payload' || key === 'cache' || key === 'isError';
}

function firstText(content: unknown): string | undefined {
  if (!isArray(content)) return undefined;
  for (let index = 0; index < content.length; index++) {
    const text = own(content[index], 'type') === 'text' ? own(content[index], 'text') : undefined;
    if (typeof text === 'string') return text;
  }
  return undefined;
}

function decoded(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function addPayload(target: object, result: object): void {
  if (hasOwn(result, 'structuredContent')) {
    put(target, 'payload', own(result, 'structuredContent'));
    return;
  }
  const text = firstText(own(result, 'content'));
  if (text !== undefined) put(target, 'payload', decoded(text));
}

/** The marker of a stored result, when it is one the broker could have written. */
function addCacheMarker(target: object, result: object): void {
  const marker = own(result, 'cache');
  const storedAt = own(marker, 'storedAt');
  const revalidating = own(marker, 'revalidating');
  if (typeof storedAt !== 'number' || !isFiniteNumber(storedAt) || typeof revalidating !== 'boolean') return;
  put(target, 'cache', { storedAt, revalidating });
}

/**
 * What a page gets for a tool's answer: the answer itself, without fields that only the runtime may
 * set, plus `payload`. Bare texts and lists pass unchanged.
 */
export function resultForPage(result: unknown): unknown {
  if (!isObject(result)) return result;
  const page = {};
  const keys = keysOf(result);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    if (!isReserved(key)) put(page, key, own(result, key));
  }
  addPayload(page, result);
  addCacheMarker(page, result);
  return page;
}

/** An answer by which the tool says that it failed becomes a failure, its text the message. */
export function toolFailure(result: unknown, server: string): Failure | undefined {
  if (own(result, 'isError') !== true) return undefined;
  const message = firstText(own(result, 'content'));
  return createFailure('tool_error', { message, server, result: { value: result } });
}
