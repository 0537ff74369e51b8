import type { LogConsole } from './environment.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { LogLevel } from './server-config.ts';
import type { LogEntry } from './server-parts.ts';

/** What may be written: the levels of the console, of which an entry keeps the nearest of its four. */
export type WrittenLevel = Exclude<LogLevel, 'silent'>;

/** Most severe first. */
const LEVELS: readonly WrittenLevel[] = ['error', 'warn', 'info', 'http', 'verbose', 'debug', 'silly'];

const ENTRY_LEVELS: Readonly<Record<WrittenLevel, LogEntry['level']>> = {
  error: 'error',
  warn: 'warn',
  info: 'info',
  http: 'debug',
  verbose: 'debug',
  debug: 'debug',
  silly: 'debug',
};

const MAX_ENTRIES = 100;
const MAX_BYTES = 2_048;
/** Characters that are looked through at most; far more than is kept. */
const MAX_READ = 8_192;

/** What a {@link ServerLog} needs. */
export interface ServerLogOptions {
  /** Epoch milliseconds. */
  now(): number;
  /** What is printed now. */
  level(): LogLevel;
  /** Values of headers and tokens in use now: they are masked wherever they stand. */
  secrets?(): Iterable<string>;
  readonly console?: LogConsole | undefined;
}

/** The log of one server: the last 100 entries, oldest first. The array is replaced with each. */
export interface ServerLog {
  readonly entries: LogEntry[];
  /** Never throws. Tool arguments and what servers say of them have no place in the text. */
  write(level: WrittenLevel, message: string): void;
}

/** The longest beginning that has so many bytes at most; no character is cut. */
function cutBytes(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return read === text.length ? text : text.slice(0, read);
}

/** A cut may go through a secret, which would then not be known: the word it is in goes, too. */
function readable(message: string): string {
  if (message.length <= MAX_READ) return message;
  return message.slice(0, MAX_READ).replace(/\S+$/, '');
}

/** `silent` is none of the levels, so nothing comes before it. */
function prints(level: LogLevel, written: WrittenLevel): boolean {
  return LEVELS.indexOf(written) <= (LEVELS as readonly LogLevel[]).indexOf(level);
}

/** Source: R122, R123, R125. */
export function createServerLog(options: ServerLogOptions): ServerLog {
  let entries: LogEntry[] = [];
  Object.freeze(entries);
  return {
    get entries() {
      return entries;
    },
    write(written, text) {
      const level = ENTRY_LEVELS[written];
      const message = cutBytes(maskSecrets(readable(text), options.secrets?.()), MAX_BYTES);
      const entry = Object.freeze({ level, message, timestamp: options.now() });
      entries = [...entries.slice(1 - MAX_ENTRIES), entry];
      Object.freeze(entries);
      if (prints(options.level(), written)) options.console?.[level](message);
    },
  };
}
