// Twenty servers of thirty tools in a page: ours beside the hooks of mcp-use; less is better everywhere.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureBuilt } from '../tools/build.mjs';
import { ensureInstalled } from '../tools/install.mjs';
import { median } from './protocol/duel.mjs';
import { fetchTools, mountUntilReady, rowRenders } from './react/in-page.mjs';
import { loadSource } from './react/load-source.mjs';
import { openWorld } from './react/world.mjs';

const PEER = join(import.meta.dirname, 'react');
const PEER_IS = 'mcp-use 1.34.6, told to report nothing';
const COUNT = 20;
const ROUNDS = 7;
/** Time that a loaded page gets to come to rest, in milliseconds. */
const SETTLE_MS = 2000;
/** React is the application's. */
const REACT = ['react', 'react-dom'];

const both = async (measure) => ({ ours: await measure('ours'), peer: await measure('peer') });
const rounded = (values, digits) => Number(median(values).toFixed(digits));

async function renders(world) {
  const figures = await both(async (who) => {
    const urls = await world.openFleet(COUNT);
    return world.inPage({ who }, async (page) => {
      await page.evaluate(mountUntilReady, { urls, strict: false });
      await world.settled();
      const before = await page.evaluate(rowRenders);
      await world.addTool(3);
      await page.waitForFunction(() => document.body.textContent.includes('s3 ready 31'));
      await world.settled();
      return (await page.evaluate(rowRenders)) - before;
    });
  });
  return { ...figures, floor: 1, unit: 'rows rendered', floorIs: 'the row of the server that changed' };
}

async function ready20(world) {
  const measures = {
    ours: [mountUntilReady, { strict: false }],
    peer: [mountUntilReady, { strict: false }],
    floor: [fetchTools, { streams: true }],
    fewer: [fetchTools, { streams: false }],
  };
  const times = { ours: [], peer: [], floor: [], fewer: [] };
  // The first round warms all of them, and the servers.
  const names = Object.keys(measures);
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Each begins in its turn, and none while the page before it is still being cleared away.
    for (const index of names.keys()) {
      const who = names[(round + index) % names.length];
      const [measure, options] = measures[who];
      const urls = await world.openFleet(COUNT);
      await world.settled();
      const took = await world.inPage({ who: who === 'peer' ? 'peer' : 'ours' }, async (page) => {
        // A browser goes on with a page for a while after it says that it is loaded.
        await page.waitForTimeout(SETTLE_MS);
        return page.evaluate(measure, { urls, ...options });
      });
      if (round > 0) times[who].push(took);
    }
  }
  const ratios = (other) => times.ours.map((took, round) => took / other[round]);
  return {
    ours: rounded(times.ours, 0),
    peer: rounded(times.peer, 0),
    floor: rounded(times.floor, 0),
    ratioToPeer: rounded(ratios(times.peer), 2),
    ratioToFloor: rounded(ratios(times.floor), 2),
    unit: 'ms',
    floorIs: 'the same requests with bare fetch: initialize, initialized, tools/list and the GET stream',
    note: `bare fetch that opens no stream: ${rounded(times.fewer, 0)} ms`,
    ratioToFewerRequests: rounded(ratios(times.fewer), 2),
  };
}

async function bundle() {
  const { bundlePage } = await loadSource('e2e/bundles/bundle-entry.ts');
  const sources = {
    ours: '@portico/react',
    peer: join(PEER, 'node_modules/mcp-use/dist/src/react/index.js'),
  };
  const bytes = (code) => gzipSync(code, { level: 9 }).length;
  const measured = await both(async (who) => {
    const program = `export { useMcp, McpClientProvider } from ${JSON.stringify(sources[who])};`;
    const { first, later } = await bundlePage(program, REACT);
    const loadedLater = Object.values(later).reduce((sum, code) => sum + bytes(code), 0);
    return { first: bytes(first), later: loadedLater };
  });
  return {
    ours: measured.ours.first,
    peer: measured.peer.first,
    floor: null,
    unit: 'bytes, minified and gzipped',
    note: `loaded when it is needed: ours ${measured.ours.later}, peer ${measured.peer.later} bytes`,
    later: { ours: measured.ours.later, peer: measured.peer.later },
  };
}

async function strictSessions(world) {
  const figures = await both(async (who) => {
    const urls = await world.openFleet(COUNT);
    return world.inPage({ who, mode: 'development' }, async (page) => {
      await page.evaluate(mountUntilReady, { urls, strict: true });
      const { sessions } = await world.settled();
      await page.evaluate(() => window.app.unmount());
      return { sessions, left: (await world.settled()).streams };
    });
  });
  const { ours, peer } = figures;
  return {
    ours: ours.sessions,
    peer: peer.sessions,
    floor: COUNT,
    unit: 'sessions opened',
    floorIs: 'one for each server',
    note: `GET streams open after unmount: ours ${ours.left}, peer ${peer.left}`,
    streamsAfterUnmount: { ours: ours.left, peer: peer.left },
  };
}

const ROWS = [
  ['renders', renders],
  ['ready 20', ready20],
  ['bundle', bundle],
  ['strict sessions', strictSessions],
];

/** @param {{only?: string}} options start of the names of rows */
export async function* rows({ only = '' } = {}) {
  ensureInstalled(PEER);
  await ensureBuilt();
  let world;
  try {
    for (const [bench, measure] of ROWS.filter(([name]) => name.startsWith(only))) {
      // Sizes need no browser.
      if (measure !== bundle) world ??= await openWorld();
      yield { bench, peerIs: PEER_IS, ...(await measure(world)) };
    }
  } finally {
    await world?.close();
  }
}
