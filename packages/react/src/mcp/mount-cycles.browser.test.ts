import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../../testing/browser.ts';
import { startFleet } from '../../../../testing/mcp-fleet.ts';
import type { Fleet } from '../../../../testing/mcp-fleet.ts';
import type { McpPage, MountOptions } from '../../../../testing/mcp-page.tsx';
import { bundleScript, createSandboxSite } from '../../../../testing/sandbox-site.ts';
import type { SandboxSite } from '../../../../testing/sandbox-site.ts';

interface PageWindow {
  readonly portico: { mount(options: MountOptions): McpPage };
}

/** How often the page mounts its servers and lets go of them; more at night. */
const CYCLES = Number(process.env['PORTICO_MOUNT_CYCLES'] ?? 60);
/** Until here caches fill and code is compiled. */
const WARM_CYCLES = Math.ceil(CYCLES / 3);
const SERVERS = 3;
const TOOLS = 30;
/** Objects and functions that one cycle may leave behind: what is forgotten with one server alone is some hundred. */
const MAX_LEFT_PER_CYCLE = 2;

/** What of a heap snapshot is looked at; nodes are rows of one long list. */
interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[]];
    };
  };
  readonly nodes: readonly number[];
}

let browser: Browser;
let site: SandboxSite;
let fleet: Fleet;
let page: Page;
let debugging: CDPSession;

beforeAll(async () => {
  [browser, site, fleet] = await Promise.all([
    launchBrowser(),
    createSandboxSite(),
    startFleet(SERVERS, TOOLS),
  ]);
  const script = await bundleScript('testing/mcp-page.tsx', 'portico', { mode: 'production' });
  site.serve('app', '/', { body: `<!doctype html><body><script>${script}</script>` });
  page = await browser.newPage();
  await page.goto(`${site.origin('app')}/`);
  await page.evaluate(() => performance.setResourceTimingBufferSize(0));
  debugging = await page.context().newCDPSession(page);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([site?.close(), fleet?.close()]);
});

/** Mounts all servers until they are ready and lets go of them, so many times. */
function cycle(times: number): Promise<void> {
  return page.evaluate(
    async ({ count, urls, ready }) => {
      const { portico } = window as unknown as PageWindow;
      const allReady = (): Promise<void> =>
        new Promise((resolve) => {
          const isReady = (row: Element): boolean => row.textContent?.endsWith(ready) === true;
          const observer = new MutationObserver(() => {
            if ([...document.querySelectorAll('li')].filter(isReady).length < urls.length) return;
            observer.disconnect();
            resolve();
          });
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        });
      for (let done = 0; done < count; done += 1) {
        const waiting = allReady();
        const app = portico.mount({ urls });
        await waiting;
        app.unmount();
      }
    },
    { count: times, urls: fleet.servers.map(({ url }) => url), ready: ` ready ${TOOLS}` },
  );
}

/**
 * Objects and functions in the page's heap once nothing of the servers is open any more. Its bytes would tell
 * more of the engine, which goes on compiling, and of the debugger, which remembers every request.
 */
async function objects(sessions: number): Promise<number> {
  await expect.poll(() => fleet.sessions).toEqual({ opened: sessions, ended: sessions });
  await expect.poll(() => fleet.streams).toBe(0);
  const chunks: string[] = [];
  const take = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk);
  debugging.on('HeapProfiler.addHeapSnapshotChunk', take);
  await debugging.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  debugging.off('HeapProfiler.addHeapSnapshotChunk', take);
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as HeapSnapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  let count = 0;
  for (let at = fields.indexOf('type'); at < nodes.length; at += fields.length) {
    const type = types[0][nodes[at] ?? -1];
    if (type === 'object' || type === 'closure') count += 1;
  }
  return count;
}

describe('a page that mounts and unmounts its servers all the time', () => {
  it(`R163 leaves nothing behind, ${CYCLES} times`, async () => {
    await cycle(WARM_CYCLES);
    const before = await objects(WARM_CYCLES * SERVERS);
    await cycle(CYCLES - WARM_CYCLES);
    const after = await objects(CYCLES * SERVERS);
    expect(fleet.count('POST initialize')).toBe(CYCLES * SERVERS);
    expect((after - before) / (CYCLES - WARM_CYCLES)).toBeLessThan(MAX_LEFT_PER_CYCLE);
  }, 1_200_000);
});
