export const INSPECTOR_TABS = ['tools', 'resources', 'prompts', 'messages', 'details'] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

/** What the address of a connector's page names beside the connector, a tool apart. */
export interface Inspected {
  readonly tab?: InspectorTab;
  /** Address of the resource in the panel. */
  readonly resource?: string;
  /** The template in the panel. */
  readonly template?: string;
  /** Name of the prompt in the panel. */
  readonly prompt?: string;
}

/** Reads it from a query; what is not known is left out. */
export function readInspected(search: Readonly<Record<string, unknown>>): Inspected {
  const tab = INSPECTOR_TABS.find((known) => known === search['tab']);
  const named = (['resource', 'template', 'prompt'] as const).flatMap((kind) => {
    const value = search[kind];
    return typeof value === 'string' && value !== '' ? [[kind, value] as const] : [];
  });
  return { ...(tab === undefined ? {} : { tab }), ...Object.fromEntries(named.slice(0, 1)) };
}

/** The open tab: the one that is named, else the one that has the thing in the panel. */
export function tabOf({ tab, resource, template, prompt }: Inspected): InspectorTab {
  if (tab !== undefined) return tab;
  if (resource !== undefined || template !== undefined) return 'resources';
  return prompt === undefined ? 'tools' : 'prompts';
}
