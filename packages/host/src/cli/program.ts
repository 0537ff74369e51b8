import { Command, InvalidArgumentError } from 'commander';
import { readPort } from '../environment.ts';
import type { CommandContext } from './context.ts';

/** What a parsed command line does; answers the exit code. */
export type Action = () => Promise<number>;

export interface ProgramOptions {
  readonly context: CommandContext;
  /** Whether somebody else prints what is wrong with the command line. */
  readonly quiet: boolean;
  /** Called with what the command line asks for. */
  readonly run: (action: Action) => void;
}

type CommandOptions = Pick<ProgramOptions, 'context' | 'run'>;

const DATA_FLAG = '--data <folder>';
const DATA_HELP = 'data folder (default: PORTICO_DATA, else the place of your system)';
const JSON_FLAG = '--json';
const JSON_HELP = 'print one JSON value';

/** The `portico` command. Its actions load their code when they run. */
export function createProgram({ context, quiet, run }: ProgramOptions): Command {
  const program = new Command('portico')
    .description('Your own host for MCP servers, their apps and published pages.')
    .version(context.version, '-V, --version', 'print the version')
    .helpCommand(true)
    .showSuggestionAfterError(true)
    .showHelpAfterError('Try: portico --help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.out(text.trimEnd()),
      writeErr: (text) => {
        if (!quiet) context.terminal.err(text.trimEnd());
      },
      outputError: (text, write) => write(text.replace(/^error:/, 'portico:')),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', examples(['portico serve', 'portico publish page.html', 'portico list --json']));
  addServe(program, { context, run });
  addPublish(program, { context, run });
  addList(program, { context, run });
  addDoctor(program, { context, run });
  return program;
}

function addServe(program: Command, { context, run }: CommandOptions): void {
  program
    .command('serve')
    .description('run the host; where it runs already, print a link to it')
    .option(DATA_FLAG, DATA_HELP, parseFolder)
    .option('--port <number>', 'use exactly this port', parsePort)
    .option('--no-open', 'do not open a browser')
    .addHelpText('after', examples(['portico serve', 'portico serve --port 8000 --no-open']))
    .action((options: { data?: string; port?: number; open: boolean }) =>
      run(async () => (await import('./serve.ts')).serve(options, context)),
    );
}

function addPublish(program: Command, { context, run }: CommandOptions): void {
  program
    .command('publish')
    .description('publish a page through the running host')
    .argument('<file>', 'HTML file')
    .option('--manifest <file>', 'manifest (default: page.manifest.json beside page.html, else in the page)')
    .option('--title <text>', 'title that people see')
    .option('--artifact <id>', 'publish as the next version of this artifact')
    .option(DATA_FLAG, DATA_HELP, parseFolder)
    .option(JSON_FLAG, JSON_HELP, false)
    .addHelpText(
      'after',
      examples(['portico publish page.html', 'portico publish page.html --title "Sales"']),
    )
    .action(
      (
        file: string,
        options: { data?: string; manifest?: string; title?: string; artifact?: string; json: boolean },
      ) => run(async () => (await import('./publish.ts')).publish(file, options, context)),
    );
}

function addList(program: Command, { context, run }: CommandOptions): void {
  program
    .command('list')
    .description('list the connectors and their states')
    .option(DATA_FLAG, DATA_HELP, parseFolder)
    .option(JSON_FLAG, JSON_HELP, false)
    .addHelpText('after', examples(['portico list', 'portico list --json']))
    .action((options: { data?: string; json: boolean }) =>
      run(async () => (await import('./list.ts')).list(options, context)),
    );
}

function addDoctor(program: Command, { context, run }: CommandOptions): void {
  program
    .command('doctor')
    .description('look for what stands in the way')
    .option('--link', 'only print a fresh link to the running host', false)
    .option('--rotate-key', 'only exchange the key of stored secrets, in the running host', false)
    .option(DATA_FLAG, DATA_HELP, parseFolder)
    .option(JSON_FLAG, JSON_HELP, false)
    .addHelpText('after', examples(['portico doctor', 'portico doctor --link']))
    .action((options: { data?: string; link: boolean; rotateKey: boolean; json: boolean }) =>
      run(async () => (await import('./doctor.ts')).doctor(options, context)),
    );
}

/** An empty name would mean the present folder, which is hardly what a variable without a value stands for. */
function parseFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('Name a folder, or leave --data out.');
  return text;
}

function parsePort(text: string): number | undefined {
  try {
    return readPort(text, '--port');
  } catch {
    throw new InvalidArgumentError('Give a number from 1 to 65535.');
  }
}

function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
