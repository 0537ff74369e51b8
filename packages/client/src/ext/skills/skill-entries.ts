import { isRecord } from '@portico/spec';
import { isSkill, skillFault, uriKey } from '@portico/spec/skills';
import type { Skill } from '@portico/spec/skills';
import { SdkError } from '../../errors.ts';

/** An entry that was refused. `index` counts over all pages. */
export interface InvalidSkillEntry {
  index: number;
  uri?: string;
  reason: string;
}

/** Longest foreign URI in a report, characters, and most entries that one message names. */
const MAX_URI = 200;
const MAX_NAMED = 20;

/** Entries of a list, sorted into those that can be used and those that cannot. */
export interface SortedEntries {
  readonly skills: Skill[];
  readonly invalid: InvalidSkillEntry[];
}

/** An entry that is there twice could be either, so all of its copies are refused. */
export function sortEntries(entries: readonly unknown[]): SortedEntries {
  const places = new Map<string, number>();
  for (const entry of entries) {
    if (isSkill(entry)) places.set(keyOf(entry), (places.get(keyOf(entry)) ?? 0) + 1);
  }
  const skills: Skill[] = [];
  const invalid: InvalidSkillEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const isUnique = isSkill(entry) && places.get(keyOf(entry)) === 1;
    if (isUnique) skills.push(entry);
    else invalid.push(refusal(index, entry));
  }
  return { skills, invalid };
}

const keyOf = ({ uri }: Skill): string => uriKey(uri) ?? uri;

function refusal(index: number, entry: unknown): InvalidSkillEntry {
  const reason = skillFault(entry) ?? 'its uri is there more than once';
  const uri =
    isRecord(entry) && typeof entry['uri'] === 'string' ? entry['uri'].slice(0, MAX_URI) : undefined;
  return { index, ...(uri === undefined ? {} : { uri }), reason };
}

/** Names what is wrong with a list. */
export function invalidEntries(invalid: readonly InvalidSkillEntry[]): SdkError {
  const named = invalid
    .slice(0, MAX_NAMED)
    .map(({ index, uri, reason }) => `#${String(index)}${uri === undefined ? '' : ` (${uri})`}: ${reason}`);
  const rest = invalid.length > named.length ? `; and ${String(invalid.length - named.length)} more` : '';
  return new SdkError('INVALID_RESULT', {
    message: `the list of skills has entries that cannot be used: ${named.join('; ')}${rest}`,
    data: { invalid },
  });
}
