import { isRecord, type ServerCapabilities } from '@portico/spec';
import { ServerError } from './errors.ts';

/** Merges declarations deeply; where both have a value that is no object, the second one wins. */
export function mergeCapabilities(base: ServerCapabilities, added: ServerCapabilities): ServerCapabilities {
  return merge(base, added) as ServerCapabilities;
}

function merge(base: object, added: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(added)) {
    if (value === undefined) continue;
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = isRecord(before) && isRecord(value) ? merge(before, value) : value;
  }
  return merged;
}

/** What a server must declare before it may serve or send a method. */
const REQUIRED: readonly (readonly [method: RegExp, capability: keyof ServerCapabilities])[] = [
  [/^tools\/|^notifications\/tools\//, 'tools'],
  [/^resources\/|^notifications\/resources\//, 'resources'],
  [/^prompts\/|^notifications\/prompts\//, 'prompts'],
  [/^completion\//, 'completions'],
  [/^logging\/|^notifications\/message$/, 'logging'],
];

/** @throws ServerError `CAPABILITY_NOT_SUPPORTED` naming the capability that was not declared */
export function assertDeclared(method: string, declared: ServerCapabilities): void {
  const needed = REQUIRED.find(([pattern]) => pattern.test(method))?.[1];
  if (needed === undefined || declared[needed] !== undefined) return;
  throw new ServerError('CAPABILITY_NOT_SUPPORTED', {
    message: `${method} needs the server capability ${needed}`,
    data: { capability: needed },
  });
}
