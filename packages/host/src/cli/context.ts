import type { Clock } from '../ports/clock.ts';
import type { Environment } from '../environment.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given of the world around it. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Number of the user; undefined on Windows. */
  readonly uid: number | undefined;
  readonly pid: number;
  readonly version: string;
}
