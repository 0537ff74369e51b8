import { beforeEach, describe, expect, it } from 'vitest';
import type { StorageProvider } from '../packages/connections/src/manager/storage-provider.ts';

const ONE = { url: 'https://one.example/mcp', timeout: 5 };
const TWO = { url: 'https://two.example/mcp' };

const entriesOf = async (provider: StorageProvider): Promise<[string, unknown][]> => [
  ...(await provider.getServers()),
];

/** The behaviour that every store of servers must have, as one Vitest suite. */
export function describeServerStorage(name: string, create: () => StorageProvider): void {
  // oxlint-disable-next-line vitest/valid-title -- the implementation that runs the suite names it
  describe(name, () => {
    let provider: StorageProvider;
    beforeEach(() => {
      provider = create();
    });

    it('R79 gives entries back in the order of adding, numbers among the ids too', async () => {
      for (const id of ['b', '10', 'a', '2']) await provider.setServer(id, ONE);
      expect((await entriesOf(provider)).map(([id]) => id)).toEqual(['b', '10', 'a', '2']);
    });

    it('R79 replaces an entry where it is, and gives back a copy of what it got', async () => {
      const config = { ...ONE };
      await provider.setServer('a', config);
      await provider.setServer('b', ONE);
      await provider.setServer('a', TWO);
      config.timeout = 6;
      expect(await entriesOf(provider)).toEqual([
        ['a', TWO],
        ['b', ONE],
      ]);
    });

    it('R79 forgets an entry, and knows nothing of one that is not there', async () => {
      await provider.setServer('a', ONE);
      await provider.setServer('b', TWO);
      await provider.removeServer('a');
      await provider.removeServer('nobody');
      expect(await entriesOf(provider)).toEqual([['b', TWO]]);
      await provider.setServer('a', ONE);
      expect((await entriesOf(provider)).map(([id]) => id)).toEqual(['b', 'a']);
    });

    it('R79 R85 keeps what a server presents apart, by its id', async () => {
      const metadata = { name: 'One', icon: 'data:image/png;base64,AA==', cachedAt: 7 };
      await provider.setServerMetadata?.('a', metadata);
      await provider.setServerMetadata?.('b', { ...metadata, name: 'Two' });
      expect(await provider.getServerMetadata?.('a')).toEqual(metadata);
      expect(await provider.getServerMetadata?.('nobody')).toBeUndefined();
      await provider.removeServerMetadata?.('a');
      await provider.removeServerMetadata?.('a');
      expect(await provider.getServerMetadata?.('a')).toBeUndefined();
      expect(await provider.getServerMetadata?.('b')).toMatchObject({ name: 'Two' });
      expect(await entriesOf(provider)).toEqual([]);
    });

    it('R85 takes every text for an id', async () => {
      const ids = ['__proto__', 'constructor', 'metadata:a', 'server:a', 'a:b', '\u0000', 'a b'];
      for (const id of ids) {
        await provider.setServer(id, { displayName: id });
        await provider.setServerMetadata?.(id, { name: id, cachedAt: 1 });
      }
      expect(await entriesOf(provider)).toEqual(ids.map((id) => [id, { displayName: id }]));
      for (const id of ids) expect(await provider.getServerMetadata?.(id)).toEqual({ name: id, cachedAt: 1 });
      expect(Object.keys(Object.prototype)).toEqual([]);
    });
  });
}
