import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startProgram } from '../../../../testing/processes.ts';

const DIST = join(import.meta.dirname, '../../dist');
const importLine = (name: string, file: string): string =>
  `import { ${name} } from ${JSON.stringify(pathToFileURL(join(DIST, file)).href)};`;

/** Binds one value of every type, in a process of its own: libsql's own answer to some is to abort. */
const BIND_EVERYTHING = `
${importLine('openSqlite', 'store/sqlite-driver.js')}
const clock = { now: () => Date.now(), setTimer: (ms, run) => { const t = setTimeout(run, ms); return { cancel: () => clearTimeout(t) }; } };
const db = await openSqlite({ path: process.argv[1], clock });
await db.run('CREATE TABLE t (v)');
const values = {
  undefined: undefined, null: null, true: true, false: false, string: 'ä漢🙂', empty: '', nul: 'a\\0b', surrogate: '\\ud800',
  zero: 0, integer: 42, negative: -42, fraction: 1.5, maxSafe: Number.MAX_SAFE_INTEGER, beyondSafe: 2 ** 60, maxValue: Number.MAX_VALUE,
  nan: NaN, infinity: Infinity, minusInfinity: -Infinity,
  bigint: 10n, bigBeyondSafe: 2n ** 62n, bigMax: 2n ** 63n - 1n, bigMin: -(2n ** 63n), bigTooLarge: 2n ** 63n, bigTooSmall: -(2n ** 63n) - 1n,
  symbol: Symbol('s'), function: () => 1, asyncFunction: async () => 1, class: class {}, object: {}, nullObject: Object.create(null), array: [1], nested: [[1]],
  date: new Date(0), regexp: /x/, map: new Map(), set: new Set(), weakMap: new WeakMap(), promise: Promise.resolve(1), error: new TypeError('x'),
  boxedString: new String('x'), boxedNumber: new Number(1), boxedBoolean: new Boolean(true), proxy: new Proxy({}, {}), url: new URL('http://a/'),
  uint8: new Uint8Array([1, 2]), emptyBytes: new Uint8Array(0), buffer: Buffer.from('hi'), slice: new Uint8Array([0, 7, 8, 0]).subarray(1, 3),
  sharedBytes: new Uint8Array(new SharedArrayBuffer(2)), arrayBuffer: new ArrayBuffer(2), sharedBuffer: new SharedArrayBuffer(2), dataView: new DataView(new ArrayBuffer(2)),
  int8: new Int8Array(1), uint16: new Uint16Array(1), uint32: new Uint32Array(1), float64: new Float64Array(1), bigInt64: new BigInt64Array(1), clamped: new Uint8ClampedArray(1),
};
const detached = new Uint8Array(4);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
values.detached = detached;
const outcome = {};
const describe = (value) => value instanceof Uint8Array && !Buffer.isBuffer(value) ? 'bytes ' + [...value].join(',') : typeof value + ' ' + String(value);
for (const [name, value] of Object.entries(values)) {
  try {
    await db.run('DELETE FROM t');
    await db.run('INSERT INTO t VALUES (?)', [value]);
    outcome[name] = describe((await db.run('SELECT v FROM t')).rows[0].v);
  } catch (error) {
    outcome[name] = error.code + ' ' + error.data.parameter;
  }
}
db.close();
console.log(JSON.stringify(outcome));
`;

/** Appends events and settings as fast as it can, beside another process that does the same. */
const WRITE_MUCH = `
${importLine('openSqliteStores', 'store/sqlite-stores.js')}
const clock = { now: () => Date.now(), setTimer: (ms, run) => { const t = setTimeout(run, ms); return { cancel: () => clearTimeout(t) }; } };
const [path, who, count] = process.argv.slice(1);
const stores = await openSqliteStores({ path, clock });
const given = [];
for (let n = 0; n < Number(count); n++) {
  const stored = await stores.transaction(async (inside) => {
    await inside.settings.put('last of ' + who, String(n));
    return await inside.events.append([{ data: who + ' ' + n, atMs: n }]);
  });
  given.push(stored[0].seq);
}
await stores.close();
console.log(JSON.stringify(given));
`;

describe('the SQLite driver in a process of its own', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-driver-'));
    path = join(folder, 'portico.db');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = async (code: string, ...args: string[]): Promise<unknown> => {
    const program = startProgram(['--input-type=module', '-e', code, ...args]);
    expect(await program.ended, program.stderr()).toBe(0);
    return JSON.parse(program.stdout());
  };

  it('takes or refuses a value of every type, and lives', async () => {
    const outcome = (await run(BIND_EVERYTHING, path)) as Record<string, string>;
    const refused = new Map(
      Object.entries(outcome).filter(([, text]) => text.startsWith('unsupported_value')),
    );
    const taken = Object.entries(outcome).filter(([name]) => !refused.has(name));
    expect(Object.fromEntries(taken)).toEqual({
      null: 'object null',
      true: 'number 1',
      false: 'number 0',
      string: 'string ä漢🙂',
      empty: 'string ',
      zero: 'number 0',
      integer: 'number 42',
      negative: 'number -42',
      fraction: 'number 1.5',
      maxSafe: 'number 9007199254740991',
      beyondSafe: `number ${2 ** 60}`,
      maxValue: `number ${Number.MAX_VALUE}`,
      bigint: 'number 10',
      bigBeyondSafe: 'bigint 4611686018427387904',
      bigMax: 'bigint 9223372036854775807',
      bigMin: 'bigint -9223372036854775808',
      uint8: 'bytes 1,2',
      emptyBytes: 'bytes ',
      buffer: 'bytes 104,105',
      slice: 'bytes 7,8',
      sharedBytes: 'bytes 0,0',
    });
    for (const [name, text] of refused) expect(text, name).toBe('unsupported_value 1');
    const names =
      'undefined nul surrogate nan infinity minusInfinity bigTooLarge bigTooSmall symbol function asyncFunction ' +
      'class object nullObject array nested date regexp map set weakMap promise error boxedString boxedNumber ' +
      'boxedBoolean proxy url arrayBuffer sharedBuffer dataView int8 uint16 uint32 float64 bigInt64 clamped detached';
    expect([...refused.keys()].toSorted()).toEqual(names.split(' ').toSorted());
  });

  it('shares one file between processes without a lost, doubled or refused write', async () => {
    const writers = ['a', 'b', 'c'];
    const given = await Promise.all(writers.map((who) => run(WRITE_MUCH, path, who, '150')));
    const numbers = (given as number[][]).flat().sort((first, second) => first - second);
    expect(numbers).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
    for (const list of given as number[][])
      expect(list).toEqual(list.toSorted((first, second) => first - second));
  });
});
