import { homedir } from 'node:os';
import { systemClock } from '@portico/rpc';
import { CommanderError } from 'commander';
import { ownEnvironment } from '../environment.ts';
import { HostError } from '../errors.ts';
import type { CommandContext } from './context.ts';
import { productVersion } from './product-files.ts';
import { createProgram } from './program.ts';
import type { Action, ProgramOptions } from './program.ts';
import { asHostError, createTerminal, printFailure } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** After a command is done, what still keeps the process alive gets this long, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * The `portico` command: runs it in this process and answers its exit code.
 *
 * @param argv words after the command's name
 */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = createTerminal(process.stdout, process.stderr);
  const exitCode = await runCommand(argv, terminal);
  process.exitCode = exitCode;
  systemClock.setTimer(LINGER_MS, () => process.exit(exitCode)).unref?.();
  return exitCode;
}

async function runCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  const json = argv.includes('--json');
  try {
    const action = parse(argv, { context: readContext(terminal), quiet: json });
    return await action();
  } catch (error) {
    const failure = error instanceof CommanderError ? asUsageError(error) : asHostError(error);
    if (failure === undefined) return 0;
    // Otherwise the parser has said it already.
    if (json || failure.code !== 'wrong_usage') printFailure(terminal, failure, json);
    return failure.exitCode;
  }
}

/** Undefined when help or version was asked for, and given. */
function asUsageError(error: CommanderError): HostError | undefined {
  if (error.exitCode === 0) return undefined;
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return new HostError('wrong_usage', { message, data: { remedy: 'Try: portico --help' } });
}

function readContext(terminal: Terminal): CommandContext {
  return {
    terminal,
    environment: ownEnvironment(),
    clock: systemClock,
    platform: process.platform,
    home: homedir(),
    uid: process.getuid?.(),
    pid: process.pid,
    version: productVersion(),
  };
}

/** What the words ask for. Throws CommanderError, after its message was printed. */
function parse(argv: readonly string[], options: Omit<ProgramOptions, 'run'>): Action {
  let chosen: Action | undefined;
  const program = createProgram({
    ...options,
    run: (action) => {
      chosen = action;
    },
  });
  if (argv.length === 0) program.help();
  program.parse([...argv], { from: 'user' });
  return chosen ?? (async () => 0);
}
