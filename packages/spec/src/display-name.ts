import type { BaseMetadata } from './base.ts';

/** What people are shown for a named thing: its title, a tool's annotated title, else its name. */
export function getDisplayName(
  thing: BaseMetadata & { readonly annotations?: { readonly title?: string } | undefined },
): string {
  const titles = [thing.title, thing.annotations?.title];
  return titles.find((title) => title !== undefined && title !== '') ?? thing.name;
}
