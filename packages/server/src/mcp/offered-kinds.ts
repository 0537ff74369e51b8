import type { ServerCapabilities } from '@portico/spec';

/** Kinds of things that are registered, by the name of their capability. */
export type Kind = 'tools' | 'resources' | 'prompts' | 'completions';

/** The methods that serve a kind. */
export const METHODS: Readonly<Record<Kind, readonly string[]>> = {
  tools: ['tools/list', 'tools/call'],
  resources: ['resources/list', 'resources/templates/list', 'resources/read'],
  prompts: ['prompts/list', 'prompts/get'],
  completions: ['completion/complete'],
};

/** An explicit `listChanged: false` is a decision of the server's author. */
export function hasListChanged(declared: ServerCapabilities, kind: Kind): boolean {
  return kind === 'completions' || declared[kind]?.listChanged !== undefined;
}
