import { stat } from 'node:fs/promises';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { MAX_FILE_BYTES } from './child-records.ts';

/** Where records of children are kept; replaced in tests. */
export interface RecordFile {
  /** All of it, or undefined when there is none. Rejects when it is too large or cannot be read. */
  read(): Promise<string | undefined>;
  /** Puts a text in the place of what is there, whole or not at all. */
  write(text: string): Promise<void>;
}

/** File of records in the data folder. */
export const CHILDREN_FILE = 'children.json';

export function createRecordFile(folder: DataFolder): RecordFile {
  return {
    async read() {
      const found = await stat(folder.pathOf(CHILDREN_FILE)).catch(() => undefined);
      if (found === undefined) return undefined;
      if (!found.isFile()) throw new TypeError(`${CHILDREN_FILE} is no file`);
      if (found.size > MAX_FILE_BYTES) {
        throw new RangeError(`${CHILDREN_FILE} is larger than ${MAX_FILE_BYTES} bytes`);
      }
      return await folder.readText(CHILDREN_FILE);
    },
    write: (text) => folder.replaceText(CHILDREN_FILE, text),
  };
}
