import { describe, expect, it } from 'vitest';
import { createScriptedBrowser } from '../../../../testing/scripted-environment.ts';
import { describeServerStorage } from '../../../../testing/server-storage-contract.ts';
import { MemoryStorageProvider, TextStorageProvider } from './storage-provider.ts';

describeServerStorage('MemoryStorageProvider', () => new MemoryStorageProvider());
describeServerStorage(
  'TextStorageProvider over a storage that answers at once',
  () => new TextStorageProvider(createScriptedBrowser().storage),
);
describeServerStorage(
  'TextStorageProvider over a slow storage',
  () => new TextStorageProvider(createScriptedBrowser({ slowStorage: true }).storage, 'mine'),
);

describe('TextStorageProvider', () => {
  it('R79 keeps everything under its key', async () => {
    const browser = createScriptedBrowser();
    const { storage } = browser;
    const provider = new TextStorageProvider(storage);
    const other = new TextStorageProvider(storage, 'mcp-client-servers-2');
    await provider.setServer('a', { timeout: 1 });
    await provider.setServerMetadata('a', { name: 'A', cachedAt: 1 });
    expect(Object.keys(browser.stored())).toEqual([
      'mcp-client-servers:server:a',
      'mcp-client-servers:metadata:a',
    ]);
    expect((await other.getServers()).size).toBe(0);
  });

  it.each([false, true])(
    'R82 loses nothing when two tabs add at once (slow storage: %s)',
    async (slowStorage) => {
      const { storage } = createScriptedBrowser({ slowStorage });
      const tabs = [new TextStorageProvider(storage), new TextStorageProvider(storage)];
      await Promise.all([
        ...tabs.map((tab, index) => tab.setServer(`z-first-${String(index)}`, {})),
        ...tabs.map((tab, index) => tab.setServer(`second-${String(index)}`, {})),
      ]);
      await tabs[0]!.setServer('last', {});
      const ids = [...(await tabs[1]!.getServers()).keys()];
      expect(ids).toHaveLength(5);
      expect(ids.at(-1)).toBe('last');
      expect(ids.indexOf('z-first-0')).toBeLessThan(ids.indexOf('second-0'));
    },
  );

  it('R83 hands out what cannot be read, and keeps it aside before another entry takes its place', async () => {
    const browser = createScriptedBrowser();
    const { storage } = browser;
    const provider = new TextStorageProvider(storage);
    const key = 'mcp-client-servers:server:a';
    for (const text of ['{"order":1,"conf', 'null', '{"config":{}}', '[]']) {
      await storage.setItem(key, text);
      await provider.setServer('b', {});
      expect((await provider.getServers()).get('a')).toBe(text);
      expect(browser.stored()[key]).toBe(text);
      await provider.setServer('a', { timeout: 1 });
      expect(browser.stored()['mcp-client-servers:unreadable:a']).toBe(text);
      expect((await provider.getServers()).get('a')).toEqual({ timeout: 1 });
    }
  });

  it('R85 takes cached data that cannot be read for none', async () => {
    const { storage } = createScriptedBrowser();
    await storage.setItem('mcp-client-servers:metadata:a', '{');
    expect(await new TextStorageProvider(storage).getServerMetadata('a')).toBeUndefined();
  });
});
