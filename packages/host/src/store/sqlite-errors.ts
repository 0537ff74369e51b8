import { HostError } from '../errors.ts';
import type { HostErrorCode } from '../errors.ts';

/** A database file that cannot be opened at all. */
export function databaseUnusable(path: string, remedy: string, cause?: unknown): HostError {
  return new HostError('database_unusable', {
    message: `the database ${path} cannot be opened`,
    data: { path, remedy },
    cause,
  });
}

/** SQLite's extended result code, such as `SQLITE_BUSY_SNAPSHOT`. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether another connection holds what the statement needs. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

interface Meaning {
  readonly pattern: RegExp;
  readonly code: HostErrorCode;
  readonly what: string;
  readonly remedy?: string;
}

const MEANINGS: readonly Meaning[] = [
  {
    pattern: /^SQLITE_(CORRUPT|NOTADB)/,
    code: 'database_corrupt',
    what: 'is damaged or is no database',
    remedy: 'move the file away to start empty, or put a backup in its place',
  },
  {
    pattern: /^SQLITE_(FULL|IOERR_SHMSIZE)/,
    code: 'database_full',
    what: 'has no space left on its disk',
    remedy: 'free some space on that disk',
  },
  {
    pattern: /^SQLITE_(READONLY|CANTOPEN|PERM)/,
    code: 'database_unusable',
    what: 'cannot be opened for writing',
    remedy: 'check that the file and its folder can be read and written',
  },
  {
    pattern: /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE|ROWID)/,
    code: 'already_exists',
    what: 'has such a record already',
  },
  {
    pattern: /^SQLITE_CONSTRAINT_FOREIGNKEY/,
    code: 'missing_parent',
    what: 'lacks the record that this one belongs to',
  },
];

/** What SQLite's error means to the host. */
export function hostErrorOf(error: unknown, path: string): HostError {
  if (error instanceof HostError) return error;
  const meaning = MEANINGS.find(({ pattern }) => pattern.test(codeOf(error)));
  const reason = error instanceof Error ? error.message : String(error);
  return new HostError(meaning?.code ?? 'database_failed', {
    message: `the database ${path} ${meaning?.what ?? `refused a statement: ${reason}`}`,
    data: {
      path,
      sqlite: codeOf(error),
      ...(meaning?.remedy === undefined ? {} : { remedy: meaning.remedy }),
    },
    cause: error,
  });
}
