import { createMemoryTransportPair } from '@portico/rpc';
import { InMemoryTransport as V1Memory } from '@modelcontextprotocol/sdk/inMemory.js';
import { InMemoryTransport as V2Memory } from '@modelcontextprotocol/server';
import { serveStdio as officialServe } from '@modelcontextprotocol/server/stdio';
import { describe } from 'vitest';
import { itConverses, itInteroperates } from './behaviour.ts';
import { createOfficialV1Server } from './fixtures/official-v1-server.ts';
import { createOfficialV2Server } from './fixtures/official-v2-server.ts';
import { createOurServer } from './fixtures/our-server.ts';
import type { InteropClient, Mode } from './interop-client.ts';
import { asTransport, ourClient, officialV1Client, officialV2Client } from './interop-client.ts';

const pairs: readonly [name: string, connect: (mode: Mode) => Promise<InteropClient>][] = [
  [
    'our client and our server',
    async (mode) => {
      const [ours, theirs] = createMemoryTransportPair();
      await createOurServer().connect(theirs);
      return ourClient(ours, mode);
    },
  ],
  [
    'official client 2 and our server',
    async (mode) => {
      const [ours, theirs] = createMemoryTransportPair();
      await createOurServer().connect(theirs);
      return officialV2Client(ours, mode);
    },
  ],
  [
    'our client and official server 2',
    async (mode) => {
      const [ours, theirs] = V2Memory.createLinkedPair();
      const state = { stopped: 0 };
      officialServe(() => createOfficialV2Server(state), { transport: asTransport(theirs) });
      return ourClient(ours, mode);
    },
  ],
];

describe.each(pairs)('in memory, %s', (_name, connect) => {
  describe('modern', () => {
    itInteroperates({ era: 'modern', connect: () => connect('auto') });
    itConverses({ era: 'modern', connect: () => connect('auto') });
  });

  describe('legacy', () => {
    itInteroperates({ era: 'legacy', connect: () => connect('legacy') });
    itConverses({ era: 'legacy', connect: () => connect('legacy') });
  });
});

const legacyPairs: readonly [name: string, connect: () => Promise<InteropClient>][] = [
  [
    'official client 1 and our server',
    async () => {
      const [ours, theirs] = V1Memory.createLinkedPair();
      await createOurServer().connect(asTransport(theirs));
      return officialV1Client(ours);
    },
  ],
  [
    'our client and official server 1',
    async () => {
      const [ours, theirs] = V1Memory.createLinkedPair();
      await createOfficialV1Server({ stopped: 0 }).connect(theirs);
      return ourClient(ours, 'auto');
    },
  ],
];

describe.each(legacyPairs)('in memory, %s', (_name, connect) => {
  itInteroperates({ era: 'legacy', connect });
  itConverses({ era: 'legacy', connect });
});
