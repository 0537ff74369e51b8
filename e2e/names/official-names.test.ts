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
import { DIFFERENT_KINDS, NOT_YET_NAMES } from './missing-names.ts';

type Kind = 'class' | 'function' | 'constant';
/** What the packages of version 2.4.0 export, by entry and kind; types are what is there for the compiler only. */
const OFFICIAL = JSON.parse(readFileSync(join(import.meta.dirname, 'official-names.json'), 'utf8')) as Record<
  string,
  Partial<Record<Kind | 'type', string[]>>
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
  Object.entries(kinds)
    .filter(([kind]) => kind !== 'type')
    .flatMap(([kind, names]) => names.map((name) => ({ entry, kind: kind as Kind, name }))),
);
const wantedTypes = Object.entries(OFFICIAL).flatMap(([entry, { type = [] }]) =>
  type.map((name) => ({ entry, name })),
);

/** The sources of the entries that export types. */
const SOURCES: Readonly<Record<string, string>> = {
  client: 'client/src/index.ts',
  'client/stdio': 'client/src/node/stdio.ts',
  server: 'server/src/index.ts',
  'server/stdio': 'server/src/node/stdio.ts',
};

/** The names that an entry exports: entries are lists of names, and the compiler sees to it that all exist. */
function exportedNames(entry: string): ReadonlySet<string> {
  const path = join(import.meta.dirname, '../../packages', SOURCES[entry] ?? '');
  const lists = [...readFileSync(path, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
  const names = lists.flatMap(([, list = '']) => list.split(','));
  return new Set(names.map((name) => name.trim().replace(/^.* as |^type /, '')));
}

/** Declarations of what the specification deprecates: roots, sampling, logging and the transport before HTTP. */
const DEPRECATED: Readonly<Record<string, readonly string[]>> = {
  'spec/src/sampling.ts': [
    'export interface ModelPreferences ',
    'export interface ToolChoice ',
    'export type SamplingMessageContentBlock ',
    'export interface SamplingMessage ',
    'export interface CreateMessageRequestParams ',
    'export interface CreateMessageResult ',
    'export interface Root ',
    'export interface ListRootsResult ',
  ],
  'spec/src/method-types.ts': [
    'export type CreateMessageRequest ',
    'export type ListRootsRequest ',
    'export type RootsListChangedNotification ',
    'export type SetLevelRequest ',
    'export type LoggingMessageNotification ',
  ],
  'spec/src/lifecycle.ts': [
    'export type LoggingLevel ',
    'export interface LoggingMessageNotificationParams ',
  ],
  'client/src/client.ts': ['  setLoggingLevel(', 'async sendRootsListChanged('],
  'client/src/http/sse-transport.ts': ['export class SSEClientTransport '],
  'server/src/server.ts': ['async createMessage(', 'async listRoots(', 'async sendLoggingMessage('],
  'server/src/mcp/mcp-server.ts': [
    'sendLoggingMessage(params',
    '  tool(name',
    '  resource(name',
    '  prompt(name',
  ],
  'server/src/context.ts': ['log(level: LoggingLevel', 'requestSampling('],
  'server/src/node/sse.ts': ['export class SSEServerTransport '],
};
const missing = (entry: string, name: string): boolean => (NOT_YET_NAMES[entry] ?? []).includes(name);

describe('the names of the official packages', () => {
  it('W240 are 119 and 92 at the roots, and 283 and 292 types', () => {
    const count = (entry: string): number => wanted.filter((name) => name.entry === entry).length;
    expect([count('client'), count('server')]).toEqual([119, 92]);
    const types = (entry: string): number => wantedTypes.filter((name) => name.entry === entry).length;
    expect([types('client'), types('server')]).toEqual([283, 292]);
  });

  it('W240 exist as types', () => {
    const lacking = wantedTypes
      .filter(({ entry, name }) => !exportedNames(entry).has(name))
      .map(({ entry, name }) => `${entry}: ${name}`);
    expect(lacking).toEqual([]);
  });

  it.each(Object.entries(DEPRECATED))(
    'W240 say in %s what the specification deprecates',
    (file, declarations) => {
      const source = readFileSync(join(import.meta.dirname, '../../packages', file), 'utf8');
      for (const declaration of declarations) {
        const place = source.indexOf(declaration);
        expect([declaration, place > 0]).toEqual([declaration, true]);
        const above = source.slice(0, place).trimEnd();
        const comment = above.endsWith('*/') ? above.slice(above.lastIndexOf('/**')) : '';
        expect([declaration, comment]).toEqual([declaration, expect.stringContaining('@deprecated')]);
      }
    },
  );

  it('W240 exist in the same entry with the same kind, but for the listed ones', () => {
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
    expect(Object.keys(DIFFERENT_KINDS).filter((name) => !names.has(name))).toEqual([]);
  });
});
