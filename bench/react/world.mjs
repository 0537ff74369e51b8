// A browser, a page of each contestant, and servers in a process of their own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSource } from './load-source.mjs';

/** Only this machine can be reached from the page. */
const LOCAL_ONLY =
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1';
const ENTRIES = { ours: 'testing/mcp-page.tsx', peer: 'bench/react/peer-page.mjs' };
const MODES = ['development', 'production'];
/** Figures that stay the same for so many looks are the last ones. */
const QUIET_LOOKS = 6;
const LOOK_MS = 250;
const MOST_LOOKS = 80;

/** Starts all that the rows in a browser need. */
export async function openWorld() {
  const { launchBrowser } = await loadSource('testing/browser.ts');
  const fleets = startFleets();
  const browser = await launchBrowser([LOCAL_ONLY]);
  const site = await serveContestants();
  return {
    /** A new fleet. @param {number} count @returns {Promise<readonly string[]>} addresses */
    openFleet: async (count) => (await fleets.ask({ open: count })).urls,
    addTool: (index) => fleets.ask({ add: index }),
    settled: () => settled(fleets),
    /** Runs a measurement in a page that has no past. @param {'ours' | 'peer'} who */
    async inPage({ who, mode = 'production' }, measure) {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        await page.goto(`${site.origin('app')}/${who}-${mode}`);
        return await measure(page);
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      await site.close();
      await fleets.close();
    },
  };
}

function startFleets() {
  const child = fork(join(import.meta.dirname, 'fleets.mjs'));
  const ended = once(child, 'exit');
  return {
    async ask(message) {
      child.send(message);
      const died = ended.then(([code]) => {
        throw new Error(`the servers ended with ${code}`);
      });
      const [answer] = await Promise.race([once(child, 'message'), died]);
      return answer;
    },
    async close() {
      child.disconnect();
      await ended;
    },
  };
}

async function serveContestants() {
  const { bundleScript, createSandboxSite } = await loadSource('testing/sandbox-site.ts');
  const site = await createSandboxSite();
  // The peer reports how it is used unless it is told not to.
  const silence = 'window.__MCP_USE_ANONYMIZED_TELEMETRY__ = false;';
  for (const [who, entry] of Object.entries(ENTRIES)) {
    for (const mode of MODES) {
      const script = (await bundleScript(entry, 'portico', { mode })).replaceAll('</script', '<\\/script');
      const body = `<!doctype html><body><script>${silence}</script><script>${script}</script>`;
      site.serve('app', `/${who}-${mode}`, { body });
    }
  }
  return site;
}

/** What the servers saw, once nothing changes any more. */
async function settled(fleets) {
  let last = '';
  for (let looks = 0, same = 0; same < QUIET_LOOKS; looks += 1) {
    if (looks === MOST_LOOKS) throw new Error(`the servers do not come to rest: ${last}`);
    await sleep(LOOK_MS);
    const now = JSON.stringify(await fleets.ask({}));
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return JSON.parse(last);
}
