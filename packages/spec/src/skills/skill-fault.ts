import { isRecord } from '../guards.ts';
import { isInside, skillPlaceOf, uriKey } from './skill-uri.ts';
import type { SkillPlace } from './skill-uri.ts';
import type { Skill } from './types.ts';

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 64;
/** Characters. */
const MAX_DESCRIPTION_LENGTH = 1024;
/** Longest part of a foreign text in a reason, characters. */
const MAX_QUOTED = 200;

/** A name as the Agent Skills format wants it: 1 to 64 of `a-z`, `0-9` and single hyphens between them. */
export function isSkillName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && NAME.test(name);
}

/** Characters beyond the basic plane count once. */
function isDescription(text: string): boolean {
  if (text.trim() === '' || text.length > 2 * MAX_DESCRIPTION_LENGTH) return false;
  return Array.from(text).length <= MAX_DESCRIPTION_LENGTH;
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_QUOTED));

/**
 * Why a value is no entry of a skill, as a phrase; undefined when it is one.
 * Limits are not looked at: what is too large for one host is fine for another.
 */
export function skillFault(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is no object';
  const { uri, frontmatter, resources } = value;
  if (typeof uri !== 'string') return 'it has no uri';
  const place = skillPlaceOf(uri);
  if (place === undefined) return 'its uri is not one of a SKILL.md in a folder';
  const fault = frontmatterFault(frontmatter, place);
  if (fault !== undefined || resources === 'dynamic') return fault;
  if (!Array.isArray(resources)) return 'its resources are neither a list nor "dynamic"';
  return resourcesFault(resources, place);
}

export function isSkill(value: unknown): value is Skill {
  return skillFault(value) === undefined;
}

function frontmatterFault(frontmatter: unknown, place: SkillPlace): string | undefined {
  if (!isRecord(frontmatter)) return 'it has no frontmatter';
  const { name, description } = frontmatter;
  if (typeof name !== 'string') return 'its frontmatter has no name';
  if (typeof description !== 'string') return 'its frontmatter has no description';
  if (!isDescription(description)) return 'its description has not 1 to 1024 characters';
  if (!isSkillName(name)) return `${quoted(name)} is no name of a skill`;
  return name === place.name ? undefined : `its name ${quoted(name)} is not that of its folder`;
}

function resourcesFault(resources: readonly unknown[], place: SkillPlace): string | undefined {
  const keys = new Set<string>();
  for (const [index, file] of resources.entries()) {
    const what = `its file #${index + 1}`;
    if (!isRecord(file) || typeof file['uri'] !== 'string') return `${what} has no uri`;
    const { uri, digest, size } = file;
    const key = uriKey(uri);
    if (key === undefined || !isInside(key, place)) return `${what} is not inside its folder`;
    if (keys.has(key)) return `${what} is listed twice`;
    keys.add(key);
    if (typeof digest !== 'string' || !DIGEST.test(digest)) return `${what} has no SHA-256 digest`;
    if (!Number.isSafeInteger(size) || (size as number) < 0) return `${what} has no size in bytes`;
  }
  return keys.has(place.key) ? undefined : 'its files do not include its SKILL.md';
}
