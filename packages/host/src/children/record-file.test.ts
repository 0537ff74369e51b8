import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../testing/host-process.ts';
import { createDataFolder } from '../data-folder/data-folder.ts';
import { MAX_FILE_BYTES } from './child-records.ts';
import { createRecordFile } from './record-file.ts';
import type { RecordFile } from './record-file.ts';

describe('the file of children', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: RecordFile;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder('record');
    path = join(folder.path, 'children.json');
    file = createRecordFile(createDataFolder({ path: folder.path, fresh: true, madeFrom: undefined }));
  });
  afterEach(() => folder.remove());

  it('K31 is not there before it is written, and is for its owner only', async () => {
    expect(await file.read()).toBeUndefined();
    await file.write('one');
    await file.write('two');
    expect(await file.read()).toBe('two');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('K31 is not read when it is larger than 1 MiB, and can be written anew', async () => {
    writeFileSync(path, 'x'.repeat(MAX_FILE_BYTES + 1));
    await expect(file.read()).rejects.toThrow('larger than 1048576 bytes');
    await file.write('new');
    expect(await file.read()).toBe('new');
  });

  it('K31 is not read when something else stands in its place', async () => {
    mkdirSync(path);
    await expect(file.read()).rejects.toThrow('no file');
  });
});
