import { z } from 'zod';

/** A child that was started and of which it is not yet known that nothing is left. */
export interface ChildRecord {
  /** Random; the mark that everything it starts inherits. */
  readonly id: string;
  /** The program, without its arguments, which may hold secrets. */
  readonly command: string;
  /** Where the host was when it started it; see `MarkedProcess`. */
  readonly place: string;
  /** Number of the child and of the group that it leads; left out while it is being started. */
  readonly pid?: number | undefined;
  /** Tells it from a later process of this number; left out where the system did not tell. */
  readonly startedAt?: string | undefined;
}

/** Most children that are on record. */
export const MAX_RECORDS = 1000;

/** Largest file of records, in bytes: 1 MiB. */
export const MAX_FILE_BYTES: number = 1024 * 1024;

/** Longest command that is kept, in UTF-16 units. */
const MAX_COMMAND = 200;

const FORMAT = 1;

const recordSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  command: z.string().max(MAX_COMMAND),
  place: z.string().max(64),
  pid: z.int().min(2).optional(),
  startedAt: z.string().max(100).optional(),
});

const fileSchema = z.object({
  format: z.literal(FORMAT),
  children: z.array(recordSchema).max(MAX_RECORDS),
});

/** The records in the text of a file, or undefined when it is none of ours. */
export function readRecords(text: string): readonly ChildRecord[] | undefined {
  try {
    const { success, data } = fileSchema.safeParse(JSON.parse(text));
    return success ? data.children : undefined;
  } catch {
    return undefined;
  }
}

export function writeRecords(children: readonly ChildRecord[]): string {
  return `${JSON.stringify({ format: FORMAT, children })}\n`;
}

export function shortCommand(command: string): string {
  return command.slice(0, MAX_COMMAND);
}
