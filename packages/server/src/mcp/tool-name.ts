import { reportGuarded, runGuarded } from '@portico/rpc';
import type { Server } from '../server.ts';

/** Longest name that every program takes. */
const MAX_TOOL_NAME_LENGTH = 128;

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Whether a tool's name is one that the specification recommends. Names differ by case. */
function isToolName(name: string): boolean {
  return TOOL_NAME.test(name);
}

/** Odd names work, but not everywhere: other programs take them apart or shorten them. */
export function warnOfName(name: string, server: Pick<Server, 'onwarning' | 'onerror'>): void {
  if (isToolName(name)) return;
  const shown = JSON.stringify(name.slice(0, MAX_TOOL_NAME_LENGTH));
  const rule = `1 to ${String(MAX_TOOL_NAME_LENGTH)} characters of A-Z, a-z, 0-9, _, - and .`;
  runGuarded(
    'onwarning',
    () => server.onwarning?.(`The tool name ${shown} should be ${rule}`),
    (error) => reportGuarded(server.onerror, error),
  );
}
