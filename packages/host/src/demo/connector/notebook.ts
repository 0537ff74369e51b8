/** One note in the demo's notebook. */
interface Note {
  readonly id: number;
  readonly text: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Notes kept at once; the oldest goes when one more comes. */
const MAX_NOTES = 100;

/** Longest note, in characters. */
export const MAX_NOTE_CHARS = 500;

/** The demo's notes. They live as long as the host runs. */
export interface Notebook {
  list(): readonly Note[];
  /** @param nowMs epoch milliseconds */
  add(text: string, nowMs: number): Note;
}

/** A notebook with two notes in it, so that there is something to read. */
export function createNotebook(nowMs: number): Notebook {
  let notes: readonly Note[] = [];
  let nextId = 1;
  const notebook: Notebook = {
    list: () => notes,
    add(text, atMs) {
      const note: Note = { id: nextId++, text, createdAt: new Date(atMs).toISOString() };
      notes = [...notes, note].slice(-MAX_NOTES);
      return note;
    },
  };
  notebook.add('The ferry to Port Amber leaves at seven.', nowMs);
  notebook.add('Ask Old Foundry about the humidity sensor.', nowMs);
  return notebook;
}
