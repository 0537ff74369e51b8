import { type JSONRPCMessage, createMemoryTransportPair, isJSONRPCRequest } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { Client } from './client.ts';

const HELLO: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  },
  'server/discover': {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
  },
};

/** A client on a server that is silent but for the handshake, and for what the test makes it say. */
async function connected(era: 'legacy' | 'modern') {
  const [ours, theirs] = createMemoryTransportPair();
  const clock = createManualClock();
  const asked: JSONRPCMessage[] = [];
  theirs.onmessage = (message) => {
    const result = isJSONRPCRequest(message) ? HELLO[message.method] : undefined;
    if (isJSONRPCRequest(message) && result !== undefined) {
      void theirs.send({ jsonrpc: '2.0', id: message.id, result });
    } else asked.push(message);
  };
  await theirs.start();
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'c', version: '1' }, { clock, versionNegotiation: { mode } });
  await client.connect(ours);
  asked.splice(0);
  return { client, clock, asked, server: theirs };
}

describe.each(['legacy', 'modern'] as const)('a request of a %s client', (era) => {
  it('W61 ends at its limit, a minute unless it is said, with an error of this side', async () => {
    const { client, clock } = await connected(era);
    for (const [options, limitMs] of [
      [undefined, 60_000],
      [{ timeout: 500 }, 500],
    ] as const) {
      let ended: unknown;
      const call = client.callTool({ name: 'x' }, options).catch((error: unknown) => (ended = error));
      await clock.advance(limitMs - 1);
      expect(ended).toBeUndefined();
      await clock.advance(1);
      await call;
      expect(ended).toMatchObject({ name: 'SdkError', code: 'REQUEST_TIMEOUT', data: { timeout: limitMs } });
      expect(String((ended as Error).message)).not.toMatch(/-32\d{3}/);
    }
  });

  it('ends at its total, ten times the limit unless it is said, whatever progress comes', async () => {
    const { client, clock, asked, server } = await connected(era);
    for (const [maxTotalTimeout, totalMs] of [
      [undefined, 600_000],
      [100_000, 100_000],
    ] as const) {
      let ended: unknown;
      const call = client
        .callTool({ name: 'x' }, { onprogress: () => 0, resetTimeoutOnProgress: true, maxTotalTimeout })
        .catch((error: unknown) => (ended = error));
      await clock.advance(0);
      const request = asked.filter(isJSONRPCRequest).at(-1);
      const meta = request?.params?.['_meta'] as { progressToken: number } | undefined;
      const progressToken = meta?.progressToken;
      let lastedMs = 0;
      for (; ended === undefined && lastedMs < 1_000_000; lastedMs += 20_000) {
        const params = { progressToken, progress: lastedMs };
        await server.send({ jsonrpc: '2.0', method: 'notifications/progress', params });
        await clock.advance(20_000);
      }
      await call;
      expect(ended).toMatchObject({ code: 'REQUEST_TIMEOUT', data: { timeout: totalMs } });
      expect(lastedMs).toBe(totalMs);
    }
  });
});
