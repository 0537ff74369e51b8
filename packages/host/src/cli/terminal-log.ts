import type { Log } from '../host-options.ts';
import type { Terminal } from './terminal.ts';

/** Writes warnings and errors to the terminal's second stream, one line each. */
export function createTerminalLog(terminal: Terminal): Log {
  const write = (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const facts = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    terminal.err(`${level}: ${message}${facts.join('')}`.replaceAll('\n', ' | '));
  };
  return {
    info() {},
    warn: (message, fields) => write('warning', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}
