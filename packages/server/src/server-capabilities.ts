import { malformedExtensionId } from '@portico/spec';
import type { ServerCapabilities } from '@portico/spec';
import { ServerError } from './errors.ts';

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

/** @throws TypeError when an extension is declared under an id without a vendor's prefix */
export function requireExtensionIds(capabilities: ServerCapabilities): ServerCapabilities {
  const malformed = malformedExtensionId(capabilities);
  if (malformed === undefined) return capabilities;
  throw new TypeError(`"${malformed}" is no id of an extension: it needs a prefix such as com.example/`);
}
