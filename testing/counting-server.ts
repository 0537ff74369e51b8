import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Execution {
  readonly name: 'count' | 'count_forever';
  readonly item: string;
  /** Value of the variable COUNTER_SECRET in the server's environment. */
  readonly secret: string;
}

/** The command line of the counting server, as a person would paste it. */
export function countingLine(file: string): string {
  return `${process.execPath} ${join(import.meta.dirname, 'counting-server.mjs')} ${file}`;
}

/** Every execution so far, over all its lives. */
export function executionsIn(file: string): readonly Execution[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Execution);
}
