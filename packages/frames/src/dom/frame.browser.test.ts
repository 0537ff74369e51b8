import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../../testing/browser.ts';
import { bundleScript, createSandboxSite } from '../../../../testing/sandbox-site.ts';
import type { SandboxSite } from '../../../../testing/sandbox-site.ts';
import type {} from '../../../../testing/shell-page.ts';
import { frameHeaders } from '../headers.ts';
import { injectKernel } from '../inject-kernel.ts';
import type { mountFrame } from './mount-frame.ts';

declare global {
  interface Window {
    states: string[];
    calls: { server: string; tool: string; input: unknown }[];
    asked: string[][];
    seen: unknown;
    log: unknown[];
    answers: ((result: unknown) => void)[];
    signals: AbortSignal[];
    mounted: ReturnType<typeof mountFrame>;
  }
}

let browser: Browser;
let site: SandboxSite;
let kernel: string;
let page: Page;
let count = 0;

beforeAll(async () => {
  const [shell] = await Promise.all([
    bundleScript('testing/shell-page.ts'),
    bundleScript('packages/frames/src/dom/kernel.ts').then((code) => (kernel = code)),
    launchBrowser().then((launched) => (browser = launched)),
    createSandboxSite().then((created) => (site = created)),
  ]);
  site.serve('portico', '/shell', {
    body: `<!doctype html><title>shell</title><body><script>${shell}</script>`,
    headers: { 'content-security-policy': `frame-src http://*.localhost:${site.port}` },
  });
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});
beforeEach(async () => {
  await page.goto(`${site.origin('portico')}/shell`);
});

/** Publishes a page on a host of its own, as the product does; answers that host's name. */
function publish(html: string, mcp = true): string {
  count += 1;
  const name = `a${count}`;
  const shellOrigin = site.origin('portico');
  site.serve(name, '/frame/t', {
    body: injectKernel(html, kernel, { shellOrigin, mcp }),
    headers: frameHeaders({ shellOrigin }),
  });
  return name;
}

/** Mounts a published page in the shell; `hold` leaves its calls to the test. */
async function mount(
  name: string,
  options: { readonly hold?: boolean; readonly allow?: boolean } = {},
): Promise<Frame> {
  const session = {
    frameId: name,
    url: `${site.origin(name)}/frame/t`,
    origin: site.origin(name),
    artifact: {
      title: 'Board',
      servers: [{ name: 'Acme', tools: ['get'] }],
      grants: [{ server: 'Acme', state: options.allow === false ? ('ask' as const) : ('allow' as const) }],
    },
  };
  await page.evaluate(
    ({ session: given, hold }) => {
      window.states = [];
      window.calls = [];
      window.asked = [];
      window.answers = [];
      window.signals = [];
      window.mounted = window.portico.mountFrame(document.body, {
        session: given,
        gateway: {
          callTool(call, { signal }) {
            window.calls.push(call);
            window.signals.push(signal);
            const answer = { ok: true as const, result: { content: [{ type: 'text', text: '{"n":1}' }] } };
            if (!hold) return Promise.resolve(answer);
            return new Promise((resolve) => window.answers.push(() => resolve(answer)));
          },
          listTools: () =>
            Promise.resolve({ servers: [{ server: 'Acme', authStatus: 'connected' as const, tools: [] }] }),
        },
        ask(servers) {
          window.asked.push([...servers]);
          return Promise.resolve(Object.fromEntries(servers.map((server) => [server, 'allow' as const])));
        },
        onState: (state) => window.states.push(state.status),
      });
    },
    { session, hold: options.hold === true },
  );
  return await frameOf(name);
}

async function frameOf(name: string): Promise<Frame> {
  await page.waitForFunction(() => window.states.includes('ready'));
  const frame = page.frames().find((candidate) => candidate.url().startsWith(site.origin(name)));
  if (frame === undefined) throw new Error('the frame is not there');
  await frame.waitForLoadState();
  return frame;
}

const call = (frame: Frame): Promise<unknown> =>
  frame.evaluate(async () => {
    const mcp = (window as unknown as { claude: { mcp: { callTool(...args: unknown[]): Promise<unknown> } } })
      .claude.mcp;
    return await mcp.callTool('Acme', 'get', { q: 1 }).catch((error: unknown) => ({ ...(error as object) }));
  });

const FIRST = '<script>window.seen = typeof window.claude?.mcp?.callTool</script>';

describe('a published page in the shell', () => {
  it.each([
    ['a usual document', `<!doctype html><html lang="en"><head>${FIRST}</head><body>`],
    ['no head', `<!doctype html><body>${FIRST}`],
    ['no doctype', `<html>${FIRST}`],
    ['nothing but a script', FIRST],
    ['a leading comment', `<!-- <head> --><!doctype html>${FIRST}`],
    ['a byte order mark', `\uFEFF<!doctype html>${FIRST}`],
    ['a script in front of the doctype', `${FIRST}<!doctype html><p>`],
    ['a base address', `<!doctype html><base href="https://elsewhere.example/">${FIRST}`],
    ['an XML declaration', `<?xml version="1.0"?><!doctype html>${FIRST}`],
    ['text first', `plain words ${FIRST}`],
    ['a frameset', `<!doctype html><head>${FIRST}</head><frameset></frameset>`],
  ])('F1 F2 sees window.claude in its first script: %s', async (_name, html) => {
    const frame = await mount(publish(html));
    expect(await frame.evaluate(() => window.seen)).toBe('function');
    expect(await call(frame)).toMatchObject({ payload: { n: 1 } });
  });

  it('F2 has the kernel in front of its own policy, whatever that forbids', async () => {
    const html = `<!doctype html><meta http-equiv="content-security-policy" content="script-src 'none'">${FIRST}`;
    const frame = await mount(publish(html));
    expect(await frame.evaluate(() => window.seen)).toBeUndefined();
    expect(await call(frame)).toMatchObject({ payload: { n: 1 } });
  });

  it('keeps mode, language, attributes and characters', async () => {
    const frame = await mount(publish('<!doctype html><html lang="de"><body class="x">é<p>'));
    expect(
      await frame.evaluate(() => [
        document.compatMode,
        document.documentElement.lang,
        document.body.className,
        document.scripts.length,
        document.body.textContent,
      ]),
    ).toEqual(['CSS1Compat', 'de', 'x', 0, 'é']);
    const quirks = await mount(publish('<html><body>'));
    expect(await quirks.evaluate(() => document.compatMode)).toBe('BackCompat');
  });

  it('F3 cannot change what it was given, at any level, and can still call', async () => {
    const frame = await mount(publish('<!doctype html>'));
    const results = await frame.evaluate(() => {
      'use strict';
      const root = (window as unknown as { claude: Record<string, unknown> }).claude;
      const mcp = root['mcp'] as Record<string, unknown>;
      const levels = [
        root,
        mcp,
        root['permissions'],
        mcp['callTool'],
        mcp['watchTool'],
        mcp['listTools'],
        mcp['invalidate'],
      ];
      const attempts: (() => unknown)[] = [
        () => ((window as unknown as { claude: unknown }).claude = 1),
        () => delete (window as unknown as { claude?: unknown }).claude,
        () => Object.defineProperty(window, 'claude', { value: 1 }),
      ];
      for (const level of levels as Record<string, unknown>[]) {
        attempts.push(
          () => (level['added'] = 1),
          () => Object.defineProperty(level, 'other', { value: 1 }),
          () => Object.setPrototypeOf(level, { x: 1 }),
        );
        for (const key of Object.keys(level)) {
          attempts.push(
            () => (level[key] = 1),
            () => delete level[key],
          );
        }
      }
      return attempts.map((attempt) => {
        try {
          attempt();
          return 'allowed';
        } catch (error) {
          return (error as Error).name;
        }
      });
    });
    expect(new Set(results)).toEqual(new Set(['TypeError']));
    expect(await call(frame)).toMatchObject({ payload: { n: 1 } });
  });

  it('has no mcp member when it declared no use of connectors', async () => {
    const frame = await mount(publish('<!doctype html>', false));
    expect(await frame.evaluate(() => Object.keys((window as unknown as { claude: object }).claude))).toEqual(
      ['permissions'],
    );
  });

  it('F11 has only the documented members', async () => {
    const frame = await mount(publish('<!doctype html>'));
    expect(
      await frame.evaluate(() => Reflect.ownKeys((window as unknown as { claude: object }).claude)),
    ).toEqual(['mcp', 'permissions']);
  });

  it('F10 has no window.claude when it is opened by itself', async () => {
    const name = publish(`<!doctype html>${FIRST}`);
    await page.goto(`${site.origin(name)}/frame/t`);
    expect(await page.evaluate(() => 'claude' in window)).toBe(false);
  });

  it('asks the viewer at its first call', async () => {
    const frame = await mount(publish('<!doctype html>'), { allow: false });
    expect(await Promise.all([call(frame), call(frame), call(frame)])).toMatchObject([
      { payload: { n: 1 } },
      {},
      {},
    ]);
    expect(await page.evaluate(() => window.asked)).toEqual([['Acme']]);
  });

  it('survives author code that tampers with built-ins', async () => {
    const hostile = `<script>
      Promise.prototype.then = () => { throw new Error('then') };
      JSON.parse = JSON.stringify = () => { throw new Error('json') };
      Map.prototype.get = Map.prototype.set = () => undefined;
      MessagePort.prototype.postMessage = () => undefined;
      Array.prototype[Symbol.iterator] = () => { throw new Error('iterator') };
      Object.defineProperty(Object.prototype, 'error', { get: () => ({ code: 'x' }) });
      Object.defineProperty(Object.prototype, 'isError', { get: () => true });
    </script><script>
      (async () => { try { console.log('payload', (await claude.mcp.callTool('Acme', 'get')).payload.n) } catch (error) { console.log('failed', error.code) } })();
    </script>`;
    const said = page.waitForEvent('console', (message) => /^(payload|failed)/.test(message.text()));
    await mount(publish(`<!doctype html>${hostile}`));
    expect((await said).text()).toBe('payload 1');
  });
});

describe('the borders of a frame', () => {
  it('F182 is on another origin, sandboxed, and can contact nothing', async () => {
    const html = `<!doctype html><script>window.log = [];
      addEventListener('securitypolicyviolation', (event) => log.push(event.effectiveDirective));</script>`;
    const frame = await mount(publish(html));
    const element = await page.$('iframe');
    expect(await element?.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-forms');
    expect(new URL(frame.url()).origin).not.toBe(new URL(page.url()).origin);
    const before = site.requests.length;
    const attempts = await frame.evaluate(
      async (address) => {
        const failed = (run: () => unknown): Promise<string> =>
          Promise.resolve()
            .then(run)
            .then(String, () => 'refused');
        return [
          await failed(() => fetch(address)),
          await failed(() => navigator.sendBeacon(address)),
          await failed(() => new WebSocket(address.replace('http', 'ws')).url && 'opened'),
          await failed(
            () =>
              new Promise((resolve, reject) =>
                Object.assign(new Image(), { onload: resolve, onerror: reject, src: address }),
              ),
          ),
          await failed(() => import(/* @vite-ignore */ address)),
          String(window.open(address) === null),
          String(window.confirm('x')),
          await failed(() => ((window.top as Window).location.href = address)),
        ];
      },
      `${site.origin('evil')}/steal`,
    );
    expect(attempts[0]).toBe('refused');
    expect(attempts.slice(3, 7)).toEqual(['refused', 'refused', 'true', 'false']);
    expect(attempts[7]).toBe('refused');
    expect(site.requests.slice(before)).toEqual([]);
    const refused = page.waitForEvent('console', (message) => /download is disallowed/i.test(message.text()));
    await frame.evaluate(() => {
      const href = URL.createObjectURL(new Blob(['x']));
      Object.assign(document.createElement('a'), { href, download: 'x.txt' }).click();
    });
    await refused;
    expect(await frame.evaluate(() => window.log)).toContain('connect-src');
    expect(page.url()).toBe(`${site.origin('portico')}/shell`);
  });

  it('ends a document’s calls when it navigates, and tells the next one nothing', async () => {
    const name = publish('<!doctype html><script>window.seen = Math.random()</script>');
    const frame = await mount(name, { hold: true });
    const first = await frame.evaluate(() => window.seen);
    await frame.evaluate(() => {
      const mcp = (
        window as unknown as { claude: { mcp: { callTool(...args: unknown[]): Promise<unknown> } } }
      ).claude.mcp;
      mcp.callTool('Acme', 'get').catch(() => undefined);
    });
    await page.waitForFunction(() => window.answers.length === 1);
    await page.evaluate(() => window.states.splice(0));
    await frame.evaluate(() => location.reload());
    const next = await frameOf(name);
    expect(await next.evaluate(() => window.seen)).not.toBe(first);
    const second = next.evaluate(async () => {
      const mcp = (
        window as unknown as { claude: { mcp: { callTool(...args: unknown[]): Promise<unknown> } } }
      ).claude.mcp;
      return await mcp.callTool('Acme', 'get');
    });
    await page.waitForFunction(() => window.answers.length === 2);
    expect(await page.evaluate(() => window.signals.map((signal) => signal.aborted))).toEqual([true, false]);
    await page.evaluate(() => window.answers[0]?.(undefined));
    await page.evaluate(() => window.answers[1]?.(undefined));
    expect(await second).toMatchObject({ payload: { n: 1 } });
    expect(await page.evaluate(() => window.calls.length)).toBe(2);
  });

  it('F171 is served only by a handshake of its own window', async () => {
    const quiet = publish('<!doctype html>');
    site.serve(quiet, '/frame/mute', { body: '<!doctype html><title>mute</title>' });
    const forger = `<!doctype html><script>
      const forge = () => {
        const { port1, port2 } = new MessageChannel();
        window.log = [];
        port1.onmessage = (event) => log.push(event.data);
        window.top.postMessage({ type: 'portico/frame-hello', versions: [1] }, '*', [port2]);
        port1.postMessage('{"jsonrpc":"2.0","id":1,"method":"callTool","params":{"server":"Acme","tool":"get"}}');
      };
      forge();</script>`;
    site.serve('forger', '/', { body: forger });
    site.serve(quiet, '/nested', { body: forger });
    await page.evaluate(
      ({ origin, forgerUrl }) => {
        window.states = [];
        window.calls = [];
        window.portico.mountFrame(document.body, {
          session: {
            frameId: 'x',
            url: `${origin}/frame/mute`,
            origin,
            artifact: {
              title: 'x',
              servers: [{ name: 'Acme', tools: ['get'] }],
              grants: [{ server: 'Acme', state: 'allow' }],
            },
          },
          gateway: {
            callTool: (call) => {
              window.calls.push(call);
              return Promise.resolve({ ok: true, result: { content: [] } });
            },
            listTools: () => Promise.resolve({ servers: [] }),
          },
          ask: () => Promise.resolve({}),
          onState: (state) => window.states.push(state.status),
        });
        const sibling = document.createElement('iframe');
        sibling.src = forgerUrl;
        document.body.append(sibling);
      },
      { origin: site.origin(quiet), forgerUrl: `${site.origin('forger')}/` },
    );
    const mute = await page.waitForSelector('iframe[title="x"]');
    const muteFrame = await mute.contentFrame();
    await muteFrame?.waitForLoadState();
    await muteFrame?.evaluate(
      (address) =>
        new Promise((resolve) => {
          const nested = document.createElement('iframe');
          nested.onload = resolve;
          nested.src = address;
          document.body.append(nested);
        }),
      `${site.origin(quiet)}/nested`,
    );
    await expect.poll(() => page.frames().length).toBe(4);
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await page.evaluate(() => [window.states, window.calls])).toEqual([['loading'], []]);
  });

  it('F174 loses its session when it navigates to a foreign page, which the shell’s policy blocks', async () => {
    const name = publish('<!doctype html>');
    const frame = await mount(name, { hold: true });
    const before = site.requests.length;
    const blocked = page.waitForEvent('console', (message) => message.text().includes('frame-src'));
    await frame.evaluate(() => {
      const mcp = (
        window as unknown as { claude: { mcp: { callTool(...args: unknown[]): Promise<unknown> } } }
      ).claude.mcp;
      mcp.callTool('Acme', 'get').catch(() => undefined);
      location.href = 'http://127.0.0.1:9/evil';
    });
    expect((await blocked).text()).toContain('127.0.0.1');
    await page.waitForFunction(() => document.querySelector('iframe') !== null);
    expect(site.requests.slice(before)).toEqual([]);
    await page.waitForFunction(() => window.signals[0]?.aborted === true);
    expect(await page.evaluate(() => window.states)).toEqual(['loading', 'ready']);
  });
});
