import { isRecord } from '../guards.ts';
import { SKILLS_EXTENSION_ID } from './constants.ts';
import type { SkillsCapability } from './types.ts';

/** What is declared about skills; undefined when nothing is, or nothing that makes sense. */
export function skillsCapabilityOf(
  capabilities: { readonly extensions?: object | undefined } | undefined,
): SkillsCapability | undefined {
  const { extensions } = capabilities ?? {};
  if (!isRecord(extensions) || !Object.hasOwn(extensions, SKILLS_EXTENSION_ID)) return undefined;
  const declared = extensions[SKILLS_EXTENSION_ID];
  if (!isRecord(declared)) return undefined;
  return { ...declared, directoryRead: declared['directoryRead'] === true };
}
