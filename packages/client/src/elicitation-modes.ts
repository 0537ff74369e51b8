import type { ClientCapabilities } from '@portico/spec';

/** Which ways of asking people a client declares: none named means forms. */
export function getSupportedElicitationModes(capabilities: ClientCapabilities['elicitation']): {
  supportsFormMode: boolean;
  supportsUrlMode: boolean;
} {
  if (capabilities === undefined) return { supportsFormMode: false, supportsUrlMode: false };
  const supportsUrlMode = capabilities.url !== undefined;
  return { supportsFormMode: capabilities.form !== undefined || !supportsUrlMode, supportsUrlMode };
}
