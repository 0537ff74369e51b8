import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { SessionRecord, SessionStore } from '../ports/stores.ts';
import { createBrowserSessions } from './browser-sessions.ts';

const DAY_MS = 24 * 60 * 60_000;

function memoryStore(): SessionStore & {
  readonly records: Map<string, SessionRecord>;
  readonly writes: number;
} {
  const records = new Map<string, SessionRecord>();
  let writes = 0;
  return {
    records,
    get writes() {
      return writes;
    },
    get: async (hash) => records.get(hash),
    async put(record) {
      writes += 1;
      records.set(record.tokenHash, record);
    },
    remove: async (hash) => void records.delete(hash),
    async prune({ createdBeforeMs, seenBeforeMs }) {
      for (const [hash, record] of records) {
        if (record.createdAtMs < createdBeforeMs || record.lastSeenAtMs < seenBeforeMs) records.delete(hash);
      }
    },
  };
}

describe('browser sessions', () => {
  const setUp = () => {
    const clock = createManualClock();
    const store = memoryStore();
    return { clock, store, sessions: createBrowserSessions({ store, clock }) };
  };

  it('are known by their token, of which the store has only a hash', async () => {
    const { store, sessions } = setUp();
    const token = await sessions.create();
    expect(await sessions.verify(token)).toBe(true);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(JSON.stringify([...store.records])).not.toContain(token);
  });

  it.each(['', 'x', 'A'.repeat(43), '../../etc', 'ä'.repeat(43)])(
    'are not begun by the token %j',
    async (token) => {
      const { sessions } = setUp();
      await sessions.create();
      expect(await sessions.verify(token)).toBe(false);
    },
  );

  it('end after seven days without a request, and use puts that off', async () => {
    const { clock, store, sessions } = setUp();
    const token = await sessions.create();
    await clock.advance(6 * DAY_MS);
    expect(await sessions.verify(token)).toBe(true);
    await clock.advance(6 * DAY_MS);
    expect(await sessions.verify(token)).toBe(true);
    await clock.advance(7 * DAY_MS);
    expect(await sessions.verify(token)).toBe(false);
    expect(store.records.size).toBe(0);
  });

  it('end thirty days after they began, however busy', async () => {
    const { clock, sessions } = setUp();
    const token = await sessions.create();
    for (let day = 0; day < 29; day++) {
      await clock.advance(DAY_MS);
      expect(await sessions.verify(token)).toBe(true);
    }
    await clock.advance(DAY_MS);
    expect(await sessions.verify(token)).toBe(false);
  });

  it('are not written on every request', async () => {
    const { clock, store, sessions } = setUp();
    const token = await sessions.create();
    for (let request = 0; request < 100; request++) await sessions.verify(token);
    expect(store.writes).toBe(1);
    await clock.advance(60_000);
    await sessions.verify(token);
    expect(store.writes).toBe(2);
  });

  it('that are over are forgotten when the next one begins', async () => {
    const { clock, store, sessions } = setUp();
    await sessions.create();
    await clock.advance(8 * DAY_MS);
    await sessions.create();
    expect(store.records.size).toBe(1);
  });
});
