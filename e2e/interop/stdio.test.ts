import { StdioClientTransport } from '@portico/client/stdio';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe } from 'vitest';
import { itConverses, itInteroperates } from './behaviour.ts';
import type { InteropClient, Mode } from './interop-client.ts';
import { ourClient, officialV1Client, officialV2Client } from './interop-client.ts';
import { type ProgramBundle, bundlePrograms } from './program-bundle.ts';

let programs: ProgramBundle;

beforeAll(async () => {
  programs = await bundlePrograms(['our-stdio', 'official-v2-stdio', 'official-v1-stdio']);
}, 60_000);
afterAll(() => programs.remove());

const program = (name: string): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [programs.pathOf(name)],
});

interface Pair {
  readonly name: string;
  readonly progressMayBeLost: boolean;
  readonly connect: (mode: Mode) => Promise<InteropClient>;
}

const pairs: readonly Pair[] = [
  {
    name: 'our client and our server',
    progressMayBeLost: false,
    connect: (mode) => ourClient(new StdioClientTransport(program('our-stdio')), mode),
  },
  {
    name: 'official client 2 and our server',
    progressMayBeLost: true,
    connect: (mode) => officialV2Client(new V2Stdio(program('our-stdio')), mode),
  },
  {
    name: 'our client and official server 2',
    progressMayBeLost: false,
    connect: (mode) => ourClient(new StdioClientTransport(program('official-v2-stdio')), mode),
  },
];

describe.each(pairs)('over stdio, $name', ({ connect, progressMayBeLost }) => {
  describe('modern', () => {
    const pairing = { era: 'modern', connect: () => connect('auto'), progressMayBeLost } as const;
    itInteroperates(pairing);
    itConverses(pairing);
  });

  describe('legacy', () => {
    const pairing = { era: 'legacy', connect: () => connect('legacy'), progressMayBeLost } as const;
    itInteroperates(pairing);
    itConverses(pairing);
  });
});

const legacyPairs: readonly Pair[] = [
  {
    name: 'official client 1 and our server',
    progressMayBeLost: true,
    connect: () => officialV1Client(new V1Stdio(program('our-stdio'))),
  },
  {
    name: 'our client and official server 1',
    progressMayBeLost: false,
    connect: () => ourClient(new StdioClientTransport(program('official-v1-stdio')), 'auto'),
  },
];

describe.each(legacyPairs)('over stdio, $name', ({ connect, progressMayBeLost }) => {
  const pairing = { era: 'legacy', connect: () => connect('auto'), progressMayBeLost } as const;
  itInteroperates(pairing);
  itConverses(pairing);
});
