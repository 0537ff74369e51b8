import * as client from '@portico/client';
import * as clientStdio from '@portico/client/stdio';
import * as clientAjv from '@portico/client/validators/ajv';
import * as clientCfWorker from '@portico/client/validators/cf-worker';
import * as server from '@portico/server';
import * as serverStdio from '@portico/server/stdio';
import * as serverAjv from '@portico/server/validators/ajv';
import * as serverCfWorker from '@portico/server/validators/cf-worker';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUTHORIZATION_NAMES, DIFFERENT_KINDS, NOT_YET_NAMES } from './missing-names.ts';

type Kind = 'class' | 'function' | 'constant';
/** What the packages of version 2.4.0 export at run time, by entry and kind. */
const OFFICIAL = JSON.parse(readFileSync(join(import.meta.dirname, 'official-names.json'), 'utf8')) as Record<
  string,
  Partial<Record<Kind, string[]>>
>;

const OURS: Readonly<Record<string, object | undefined>> = {
  client,
  'client/stdio': clientStdio,
  'client/validators/ajv': clientAjv,
  'client/validators/cf-worker': clientCfWorker,
  server,
  'server/stdio': serverStdio,
  'server/validators/ajv': serverAjv,
  'server/validators/cf-worker': serverCfWorker,
};

function kindOf(value: unknown): Kind {
  if (typeof value !== 'function') return 'constant';
  return /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'function';
}

const wanted = Object.entries(OFFICIAL).flatMap(([entry, kinds]) =>
  Object.entries(kinds).flatMap(([kind, names]) =>
    names.map((name) => ({ entry, kind: kind as Kind, name })),
  ),
);
const missing = (entry: string, name: string): boolean =>
  AUTHORIZATION_NAMES.has(name) || (NOT_YET_NAMES[entry] ?? []).includes(name);

describe('the names of the official packages', () => {
  it('are 119 and 92 at the roots', () => {
    const count = (entry: string): number => wanted.filter((name) => name.entry === entry).length;
    expect([count('client'), count('server')]).toEqual([119, 92]);
  });

  it('exist in the same entry with the same kind, but for the listed ones', () => {
    const wrong = wanted
      .filter(({ entry, name }) => !missing(entry, name))
      .filter(({ entry, name, kind }) => {
        const value = (OURS[entry] as Readonly<Record<string, unknown>> | undefined)?.[name];
        return value === undefined || kindOf(value) !== (DIFFERENT_KINDS[name] ?? kind);
      })
      .map(({ entry, name, kind }) => `${entry}: ${name} (${kind})`);
    expect(wrong).toEqual([]);
  });

  it('are listed as missing only while they are', () => {
    const there = wanted
      .filter(({ entry, name }) => missing(entry, name))
      .filter(({ entry, name }) => Object.hasOwn(OURS[entry] ?? {}, name))
      .map(({ entry, name }) => `${entry}: ${name}`);
    expect(there).toEqual([]);
  });

  it('are listed as missing only when they are official', () => {
    const official = new Set(wanted.map(({ entry, name }) => `${entry}: ${name}`));
    const listed = Object.entries(NOT_YET_NAMES).flatMap(([entry, names]) =>
      names.map((name) => `${entry}: ${name}`),
    );
    expect(listed.filter((name) => !official.has(name))).toEqual([]);
    const names = new Set(wanted.map(({ name }) => name));
    expect(
      [...AUTHORIZATION_NAMES, ...Object.keys(DIFFERENT_KINDS)].filter((name) => !names.has(name)),
    ).toEqual([]);
  });
});
