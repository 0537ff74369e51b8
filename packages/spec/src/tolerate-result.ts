import { copyMembers } from './copy-members.ts';
import type { UnknownRecord } from './guards.ts';

/**
 * A tool result with a structured value but no content, which servers in the field send although
 * the content is required, is read as one with empty content. Anything else is left as it is.
 */
export function tolerateResult(method: string, result: UnknownRecord): UnknownRecord {
  if (method !== 'tools/call' || result['content'] !== undefined) return result;
  if (result['structuredContent'] === undefined) return result;
  const tolerated = copyMembers({}, result);
  tolerated['content'] = [];
  return tolerated;
}
