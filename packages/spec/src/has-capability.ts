import { isRecord } from './guards.ts';
import type { UnknownRecord } from './guards.ts';

/** An `elicitation` that names no mode at all means form mode. */
function hasFormElicitation(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined;
  if (!isRecord(elicitation)) return false;
  return isRecord(elicitation['form']) || elicitation['url'] === undefined;
}

/**
 * Whether a declaration of capabilities contains a dotted path such as `resources.subscribe`. A
 * flag counts when it is true, a capability object when it is there.
 */
export function hasCapability(capabilities: object | undefined, path: string): boolean {
  if (capabilities === undefined) return false;
  // Most paths are one word, and one is looked for on each call: no need to take it apart.
  if (Object.hasOwn(capabilities, path) && isRecord((capabilities as UnknownRecord)[path])) return true;
  if (path === 'elicitation.form') return hasFormElicitation(capabilities);
  let value: unknown = capabilities;
  for (const name of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return value === true || isRecord(value);
}
