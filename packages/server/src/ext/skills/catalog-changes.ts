import type { Skill } from '@portico/spec/skills';
import type { SkillCatalogChanges } from './types.ts';

/** What differs between two catalogs. */
export function changesBetween(before: readonly Skill[], after: readonly Skill[]): SkillCatalogChanges {
  const old = new Map(before.map((skill) => [skill.uri, skill]));
  const kept = new Set(after.map(({ uri }) => uri));
  const added = after.filter(({ uri }) => !old.has(uri)).map(({ uri }) => uri);
  const removed = before.filter(({ uri }) => !kept.has(uri)).map(({ uri }) => uri);
  const differing = after.filter((skill) => {
    const earlier = old.get(skill.uri);
    return earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(skill);
  });
  const isDescribedAnew = differing.some(
    ({ uri, frontmatter }) => old.get(uri)?.frontmatter.description !== frontmatter.description,
  );
  return {
    added,
    removed,
    changed: differing.map(({ uri }) => uri),
    listChanged: added.length > 0 || removed.length > 0 || isDescribedAnew,
  };
}
