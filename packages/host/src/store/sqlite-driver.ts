import Database from 'libsql';
import { HostError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { databaseUnusable, hostErrorOf, isBusy } from './sqlite-errors.ts';

// The only file that touches libsql. Used bare, libsql aborts the process on a boolean, cuts text at
// NUL, rounds integers beyond 2^53, answers blobs as ArrayBuffer and blocks the event loop while
// another process holds the file. Nothing above this file has to know.

/** How long a statement waits for another process on the same file: 5 s, in milliseconds. */
const BUSY_LIMIT_MS = 5_000;

/** Longest pause between two tries on a busy file, in milliseconds. */
const MAX_PAUSE_MS = 50;

/** Prepared statements kept. */
const MAX_STATEMENTS = 200;

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** Half a surrogate pair has no UTF-8 form: libsql would store another character in its place. */
type CheckedString = string & { isWellFormed(): boolean };

/** What comes out of the database: integers are numbers where they are exact, bigint beyond. */
type SqliteValue = string | number | bigint | Uint8Array | null;
type SqliteRow = Record<string, SqliteValue>;

interface SqliteResult {
  readonly rows: SqliteRow[];
  readonly changes: number;
}

/** One connection to one file. Statements run at once; only a busy file makes them wait, without blocking. */
export interface SqliteConnection {
  readonly inTransaction: boolean;
  /** Takes the write lock at once, so that no later statement of the transaction finds the file busy. */
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Does nothing when there is no transaction: SQLite has undone it by itself on a full disk. */
  rollback(): Promise<void>;
  /**
   * Runs one statement, outside a transaction in one of its own. Parameters may be string, finite number, bigint of 64 bits, boolean (stored as
   * 0 or 1), Uint8Array or null.
   *
   * Throws HostError `unsupported_value`, `database_busy` after 5 s, `database_corrupt`,
   * `database_full`, `database_closed`, `already_exists`, `missing_parent` or `database_failed`.
   */
  run(sql: string, parameters?: readonly unknown[]): Promise<SqliteResult>;
  /** Statements after it fail with `database_closed`. Safe to call twice. */
  close(): void;
}

export interface SqliteOptions {
  readonly path: string;
  readonly clock: Clock;
}

/**
 * Opens (or creates) a database file with write-ahead log, foreign keys and `synchronous = NORMAL`: a
 * killed process loses nothing, a power cut at most the last commits.
 *
 * Throws HostError `database_unusable` or `database_corrupt`.
 */
export async function openSqlite(options: SqliteOptions): Promise<SqliteConnection> {
  const database = openFile(options.path);
  const connection = createConnection(database, options);
  try {
    const mode = await connection.run('PRAGMA journal_mode = WAL');
    if (mode.rows[0]?.['journal_mode'] !== 'wal') {
      throw databaseUnusable(
        options.path,
        'put the data folder on a local disk: this one has no shared memory',
      );
    }
    await connection.run('PRAGMA foreign_keys = ON');
    await connection.run('PRAGMA synchronous = NORMAL');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function openFile(path: string): Database.Database {
  try {
    // Waiting inside libsql would block the event loop, so it never waits.
    const database = new Database(path, { timeout: 0 });
    database.defaultSafeIntegers(true);
    return database;
  } catch (error) {
    throw databaseUnusable(path, 'check that the file and its folder can be read and written', error);
  }
}

function createConnection(database: Database.Database, options: SqliteOptions): SqliteConnection {
  const { path } = options;
  let open = true;
  const attempt = <T>(work: () => T): Promise<T> =>
    retryWhileBusy(options, () => {
      if (!open) throw new HostError('database_closed', { data: { path } });
      return work();
    });
  const exec = async (sql: string): Promise<void> => {
    await attempt(() => database.exec(sql));
  };
  const statements = createStatementCache(database);
  const runOnce = (sql: string, parameters: unknown[]): SqliteResult => {
    const statement = statements.take(sql);
    const result: SqliteResult = statement.reader
      ? { rows: statement.all(parameters).map(readRow), changes: 0 }
      : { rows: [], changes: statement.run(parameters).changes };
    statements.giveBack(sql, statement);
    return result;
  };
  const connection: SqliteConnection = {
    get inTransaction() {
      return open && database.inTransaction;
    },
    begin: () => exec('BEGIN IMMEDIATE'),
    commit: () => exec('COMMIT'),
    async rollback() {
      if (connection.inTransaction) await exec('ROLLBACK');
    },
    async run(sql, parameters = []) {
      const bound = parameters.map((value, index) => bindable(value, index + 1));
      if (connection.inTransaction || READS.test(sql)) return await attempt(() => runOnce(sql, bound));
      // libsql never resets a statement that found the file busy, and with one left no commit
      // succeeds any more. So only BEGIN, which it does reset, may meet a busy file.
      await connection.begin();
      try {
        const result = await attempt(() => runOnce(sql, bound));
        await connection.commit();
        return result;
      } catch (error) {
        await connection.rollback();
        throw error;
      }
    },
    close() {
      if (!open) return;
      open = false;
      statements.clear();
      foldLogIn(database);
      database.close();
    },
  };
  return connection;
}

type Statement = ReturnType<Database.Database['prepare']>;

interface StatementCache {
  take(sql: string): Statement;
  /** For a statement that ended well: one that failed is never used again. */
  giveBack(sql: string, statement: Statement): void;
  clear(): void;
}

/** Prepared statements, the least recently used dropped first: preparing costs as much as running. */
function createStatementCache(database: Database.Database): StatementCache {
  const kept = new Map<string, Statement>();
  return {
    take(sql) {
      const statement = kept.get(sql);
      kept.delete(sql);
      return statement ?? database.prepare(sql);
    },
    giveBack(sql, statement) {
      kept.set(sql, statement);
      const oldest = kept.keys().next().value;
      if (kept.size > MAX_STATEMENTS && oldest !== undefined) kept.delete(oldest);
    },
    clear: () => kept.clear(),
  };
}

/** Moves what is in the write-ahead log into the file, where nobody else has it open. */
function foldLogIn(database: Database.Database): void {
  try {
    // Closing alone would do it only once all statements are garbage collected.
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  } catch {
    // The log keeps what it has; the next opening reads it.
  }
}

/** Statements that take no write lock. */
const READS = /^\s*(SELECT|PRAGMA)\b/i;

/** Runs work until the file is no longer busy, waiting in between without blocking. */
async function retryWhileBusy<T>({ clock, path }: SqliteOptions, work: () => T): Promise<T> {
  const deadlineMs = clock.now() + BUSY_LIMIT_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw hostErrorOf(error, path);
      if (clock.now() >= deadlineMs) throw busyTooLong(path, error);
    }
    await pause(clock, Math.min(2 ** attempt, MAX_PAUSE_MS));
  }
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(delayMs, resolve));
}

/** The value as libsql can take it; anything it would damage or die of is refused here. */
function bindable(value: unknown, position: number): string | number | bigint | Uint8Array | null {
  if (value === null) return null;
  if (typeof value === 'string') {
    if (value.includes('\0')) throw refused(position, 'text that contains NUL');
    if (!(value as CheckedString).isWellFormed())
      throw refused(position, 'text that contains half a surrogate pair');
    return value;
  }
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused(position, String(value));
    // A number would be bound as a float, also where the column has no type that turns it back.
    return Number.isSafeInteger(value) ? BigInt(value) : value;
  }
  if (typeof value === 'bigint') {
    if (value < MIN_INT64 || value > MAX_INT64) throw refused(position, 'an integer of more than 64 bits');
    return value;
  }
  if (value instanceof Uint8Array) return copyOf(value, position);
  throw refused(position, nameOfType(value));
}

/** Copied, since the bytes of a shared or resizable buffer may change while they are read. */
function copyOf(bytes: Uint8Array, position: number): Uint8Array {
  try {
    return Uint8Array.from(bytes);
  } catch {
    throw refused(position, 'bytes that were transferred away');
  }
}

function refused(position: number, what: string): HostError {
  return new HostError('unsupported_value', {
    message: `parameter ${position} of a statement is ${what}, which cannot be stored`,
    data: { parameter: position, type: what },
  });
}

function nameOfType(value: unknown): string {
  return typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
}

function readRow(row: unknown): SqliteRow {
  const read: SqliteRow = {};
  for (const [column, value] of Object.entries(row as Record<string, unknown>))
    read[column] = readValue(value);
  return read;
}

function readValue(value: unknown): SqliteValue {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value as string | number | null;
}

function busyTooLong(path: string, cause: unknown): HostError {
  return new HostError('database_busy', {
    message: `another process kept ${path} busy for ${BUSY_LIMIT_MS / 1000} s`,
    data: { path, remedy: 'end the program that holds the database open, then try again' },
    cause,
  });
}
