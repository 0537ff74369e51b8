import { createHash } from 'node:crypto';
import type { StdioServerParameters } from './spawn-plan.ts';

/**
 * Names the server that a child process is: its command, its arguments, its folder and its environment,
 * of which only a hash is told, since environments hold secrets.
 */
export function serverKey({ command, args = [], env = {}, cwd = '' }: StdioServerParameters): string {
  const variables = Object.entries(env).sort(([left], [right]) => (left < right ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify(variables)).digest('hex');
  return JSON.stringify(['stdio', command, args, cwd, hash]);
}
