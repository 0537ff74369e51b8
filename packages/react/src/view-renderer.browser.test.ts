import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { launchBrowser } from '../../../testing/browser.ts';
import { bundleScript, createSandboxSite } from '../../../testing/sandbox-site.ts';
import type { SandboxSite } from '../../../testing/sandbox-site.ts';
import type { PageRender } from '../../../testing/view-host-page.tsx';

let browser: Browser;
let site: SandboxSite;
/** Another server; the addresses of the page's own are never granted. */
let far: SandboxSite;
let page: Page;
let guest = '';

const STRICT = "script-src 'self'; style-src 'self'";

/** What a view does here; tests go on by its `app`. */
const GUEST_SCRIPT = `
  window.loadedAs = Math.random();
  window.got = [];
  window.app = new apps.App({ name: 'Probe', version: '1' }, {}, { autoResize: false });
  app.onteardown = async () => { await app.callServerTool({ name: 'bye' }); return {}; };
  app.ontoolinput = (params) => got.push('input ' + JSON.stringify(params.arguments));
  app.ontoolresult = (params) => got.push('result ' + params.structuredContent.n);
  app.connect();`;

/** An outer document as MCP Apps describes it, on an origin of its own. */
const FOREIGN_OUTER = `<!doctype html><body><script>
  let view;
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data.method === 'ui/notifications/sandbox-resource-ready') {
      view = document.createElement('iframe');
      view.setAttribute('sandbox', data.params.sandbox);
      view.srcdoc = data.params.html;
      document.body.append(view);
    } else if (source === parent) view?.contentWindow.postMessage(data, '*');
    else if (view && source === view.contentWindow) parent.postMessage(data, '*');
  });
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script>`;

beforeAll(async () => {
  let shell = '';
  let apps = '';
  await Promise.all([
    bundleScript('testing/view-host-page.tsx').then((code) => (shell = code)),
    bundleScript('testing/view-page.ts', 'apps').then((code) => (apps = code)),
    launchBrowser().then((launched) => (browser = launched)),
    createSandboxSite().then((created) => (site = created)),
    createSandboxSite().then((created) => (far = created)),
  ]);
  const body = '<!doctype html><title>Before</title><body><script src="/shell.js"></script>';
  const script = { 'content-type': 'text/javascript' };
  site.serve('portico', '/shell.js', { body: shell, headers: script });
  site.serve('portico', '/page', { body });
  site.serve('portico', '/strict', { body, headers: { 'content-security-policy': STRICT } });
  site.serve('sandbox', '/outer', { body: FOREIGN_OUTER });
  site.serve('portico', '/outer', { body: FOREIGN_OUTER });
  far.serve('other', '/data', { body: '{}', headers: { 'access-control-allow-origin': '*' } });
  guest = `<!doctype html><html><head><title>Guest</title></head><body><script>${apps}</script><script>${GUEST_SCRIPT}</script>`;
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([site.close(), far.close()]);
});

async function open(path = '/page'): Promise<void> {
  await page.goto(`${site.origin('portico')}${path}`);
  await page.evaluate((html) => {
    for (const uri of ['ui://probe/a', 'ui://probe/b']) window.documents[uri] = { text: html };
  }, guest);
}
beforeEach(() => open());

const show = (render: PageRender | null): Promise<void> =>
  page.evaluate((given) => window.show(given), render);
const heard = (): Promise<string[]> => page.evaluate(() => window.heard);
const hear = (text: string): Promise<unknown> =>
  page.waitForFunction((wanted) => window.heard.includes(wanted), text);
const hearTimes = (text: string, times: number): Promise<unknown> =>
  page.waitForFunction(
    ([wanted, count]) => window.heard.filter((entry) => entry === wanted).length === count,
    [text, times] as const,
  );
const count = async (method: string): Promise<number> =>
  (await page.evaluate(() => window.methods)).filter((entry) => entry === method).length;
const noFrame = (): Promise<unknown> => page.waitForFunction(() => document.querySelector('iframe') === null);

/** The document of the view itself, in the frame within the frame. */
function view(): Frame {
  const inner = page.frames().findLast((frame) => frame.parentFrame()?.parentFrame() === page.mainFrame());
  if (inner === undefined) throw new Error('there is no view');
  return inner;
}
async function ready(render: PageRender = {}): Promise<void> {
  await show(render);
  await hear('ready');
  // The page may know of it before the test's side of the browser does.
  await vi.waitFor(view, { timeout: 10_000 });
}
/** Keeps the frame and its window as they are now, to compare with later. */
const keepFrame = (): Promise<void> =>
  page.evaluate(() => {
    const frame = document.querySelector('iframe');
    Object.assign(window, { kept: [frame, frame?.contentWindow] });
  });
const isSameFrame = (): Promise<boolean> =>
  page.evaluate(() => {
    const frame = document.querySelector('iframe');
    const { kept } = window as unknown as { kept: unknown[] };
    return frame !== null && kept[0] === frame && kept[1] === frame.contentWindow;
  });

describe('the place of a view', () => {
  it('R146 has no origin: nothing of the page is in reach', async () => {
    await page.evaluate(() => {
      localStorage.setItem('token', 'secret');
      document.cookie = 'token=secret';
    });
    await ready();
    const seen = await view().evaluate(() => {
      const attempt = (run: () => unknown): unknown => {
        try {
          return run();
        } catch (error) {
          return (error as Error).name;
        }
      };
      return {
        origin: window.origin,
        storage: attempt(() => localStorage.getItem('token')),
        cookie: attempt(() => document.cookie),
        top: attempt(() => Object.assign(window.parent.parent.document, { title: 'taken' })),
        parent: attempt(() => window.parent.document.title),
      };
    });
    const no = 'SecurityError';
    expect(seen).toEqual({ origin: 'null', storage: no, cookie: no, top: no, parent: no });
    expect(await page.title()).toBe('Before');
  });

  it('R146 R148 keeps a view from leading itself to another place', async () => {
    await ready();
    const target = `${far.origin('other')}/led`;
    await view().evaluate((url) => void (location.href = url), target);
    // A view that tries this is gone; a request for it would have left before the page gets its own.
    await page.waitForFunction(() => !window.frames[0]?.frames[0]?.closed);
    await page.evaluate((url) => fetch(url, { mode: 'no-cors' }), `${far.origin('other')}/data`);
    expect(far.requests.filter((request) => request.endsWith('/led'))).toEqual([]);
  });

  it.each(['/page', '/strict'])(
    'R147 R169 is the sandbox given, on a page under any policy: %s',
    async (path) => {
      await open(path);
      const sandboxUrl = `${site.origin('sandbox')}/outer`;
      await ready({ props: { sandboxUrl } });
      expect(await page.evaluate(() => document.querySelector('iframe')?.src)).toBe(sandboxUrl);
      expect(await view().evaluate(() => window.origin)).toBe(site.origin('sandbox'));
      expect(
        await page.evaluate(() => [window.violations, document.querySelectorAll('style').length]),
      ).toEqual([[], 0]);
    },
  );

  it.each(['own', 'relative', 'javascript:alert(1)', 'data:text/html,x', 'blob:x', 'about:blank', ''])(
    'R147 is never one that shares the page: %s',
    async (kind) => {
      const own = `${site.origin('portico')}/outer`;
      await show({ props: { sandboxUrl: kind === 'own' ? own : kind === 'relative' ? '/outer' : kind } });
      await hear('error unsafe_sandbox');
      expect(await page.evaluate(() => document.querySelector('iframe'))).toBeNull();
      expect(await heard()).toEqual([
        'resolving',
        'one read',
        'error unsafe_sandbox',
        'one onError unsafe_sandbox',
      ]);
    },
  );

  it('R147 is never one whose address leads back to the page', async () => {
    await page.route('**/back', (route) =>
      route.fulfill({ status: 302, headers: { location: `${site.origin('portico')}/outer` } }),
    );
    await show({ props: { sandboxUrl: `${site.origin('sandbox')}/back` } });
    await hear('error unsafe_sandbox');
    await noFrame();
    await page.unroute('**/back');
  });

  it('R147 may be made for the resource, and show the view by itself', async () => {
    site.serve('sandbox', '/own', { body: guest });
    const sandboxUrl = `${site.origin('sandbox')}/own`;
    await show({ makeSandboxUrl: `${sandboxUrl}?of=` });
    await hear('one asks ui://probe/a');
    await show(null);
    await show({ props: { sandboxUrl, viewId: 'v2' } });
    await hear('ready');
    expect(await page.evaluate(() => document.querySelector('iframe')?.src)).toBe(sandboxUrl);
  });

  it('R152 R154 tells the whole call again to a document that has been loaded anew', async () => {
    await ready({ props: { sandboxUrl: `${site.origin('sandbox')}/outer` } });
    await keepFrame();
    for (const round of [2, 3]) {
      await page.frames()[1]?.evaluate(() => location.reload());
      await page.waitForFunction(
        (times) =>
          window.methods.filter((method) => method === 'ui/notifications/initialized').length === times,
        round,
      );
    }
    await vi.waitFor(async () =>
      expect(await view().evaluate('window.got')).toEqual(['input {"n":1}', 'result 2']),
    );
    expect(await isSameFrame()).toBe(true);
    expect((await heard()).filter((entry) => entry === 'ready' || entry === 'one onReady')).toHaveLength(2);
  });

  it('R169 says so at once where the policy of the page lets no view run in it', async () => {
    await open('/strict');
    await show({});
    await hear('error sandbox_blocked');
    await noFrame();
    expect(await page.evaluate(() => document.querySelector('[role=alert]')?.textContent)).toContain(
      'policy',
    );
  });
});

describe('the policy of a view', () => {
  const reach = (): Promise<string> =>
    view().evaluate(
      (url) =>
        fetch(url).then(
          () => 'reached',
          () => 'blocked',
        ),
      `${far.origin('other')}/data`,
    );
  const declare = (csp: object): Promise<void> =>
    page.evaluate(
      ([html, declared]) => {
        window.documents['ui://probe/a'] = { text: html, _meta: { ui: { csp: declared } } };
      },
      [guest, csp] as const,
    );

  it.each(['none', 'foreign'])(
    'R148 is what the resource declares, and violations are told: %s',
    async (kind) => {
      const sandboxUrl = kind === 'foreign' ? `${site.origin('sandbox')}/outer` : undefined;
      await ready({ props: { sandboxUrl } });
      expect(await reach()).toBe('blocked');
      await hear('one violation connect-src');
      await hearTimes('one violation connect-src', 1);
    },
  );

  it('R148 lets a declared origin be reached', async () => {
    await declare({ connectDomains: [far.origin('other')] });
    await ready();
    expect(await reach()).toBe('reached');
  });

  it('R148 is permissive only when that is named', async () => {
    await ready({ props: { cspMode: 'permissive' } });
    expect(await reach()).toBe('reached');
  });

  it('R148 is not escaped by markup that stands before the head', async () => {
    await page.evaluate(
      ([html]) => {
        window.documents['ui://probe/a'] = { text: `<!--<head>--><script>0</script>${html}` };
      },
      [guest],
    );
    await ready({ props: { sandboxUrl: `${site.origin('sandbox')}/outer` } });
    expect(await reach()).toBe('blocked');
  });
});

describe('the life of a view', () => {
  it('R149 R155 goes through renders with fresh literals, in strict mode from one read and one load', async () => {
    await ready();
    await keepFrame();
    const loadedAs = await view().evaluate('window.loadedAs');
    for (let round = 0; round < 5; round++) await show({ tag: `round ${round}` });
    await show({ tag: 'function', props: { sandboxUrl: undefined } });
    await view().evaluate("app.callServerTool({ name: 'echo' })");
    expect(await view().evaluate('window.loadedAs')).toBe(loadedAs);
    expect(await isSameFrame()).toBe(true);
    expect([await count('ui/initialize'), await count('ui/notifications/sandbox-proxy-ready')]).toEqual([
      1, 1,
    ]);
    expect((await heard()).filter((entry) => entry.endsWith('read'))).toEqual(['one read']);
    expect(await view().evaluate('window.got')).toEqual(['input {"n":1}', 'result 2']);
  });

  it('R150 sends later calls over the connection that has taken the place of another', async () => {
    await ready();
    await keepFrame();
    await show({ tag: 'two' });
    await view().evaluate("app.callServerTool({ name: 'echo' })");
    expect(await isSameFrame()).toBe(true);
    expect((await heard()).filter((entry) => entry.includes('echo'))).toEqual(['two echo']);
  });

  it.each([
    ['view id', { props: { viewId: 'v2' } }],
    ['address', { resourceUri: 'ui://probe/b' }],
    ['document', undefined],
  ] as const)('R150 ends with another %s, and a new one begins', async (_what, render) => {
    await ready();
    await keepFrame();
    const given = { uri: 'ui://probe/a', mimeType: 'text/html;profile=mcp-app', text: guest };
    await show(render ?? { props: { source: { document: given } } });
    await hearTimes('ready', 2);
    await page.waitForFunction(() => document.querySelectorAll('iframe').length === 1);
    expect(await isSameFrame()).toBe(false);
    expect(await count('ui/initialize')).toBe(2);
    expect(await heard()).toContain('one bye');
  });

  it('R151 R168 runs each callback in its newest closure, and refuses what has no handler', async () => {
    await ready();
    await keepFrame();
    const link = (): Promise<unknown> =>
      view().evaluate(
        "app.openLink({ url: 'https://a.example/' }).then((answer) => answer.isError === true ? 'declined' : 'opened', ({ code }) => code)",
      );
    await show({ tag: 'two' });
    expect(await link()).toBe('opened');
    await view().evaluate("app.sendLog({ level: 'info', data: 'x' })");
    await hear('two log x');
    await show({ tag: 'three', without: ['onOpenLink', 'onLog'] });
    expect(await link()).toBe(-32601);
    await show({ tag: 'four' });
    expect(await link()).toBe('opened');
    expect((await heard()).filter((entry) => entry.includes('link'))).toEqual([
      'two link https://a.example/',
      'four link https://a.example/',
    ]);
    expect([await isSameFrame(), await count('ui/initialize')]).toEqual([true, 1]);
  });

  it('R152 R155 is reported step by step, each once, until it has cleaned up and nothing listens', async () => {
    const before = await page.evaluate(() => window.listeners);
    await ready();
    await hear('one onReady');
    await show(null);
    await hear('closed');
    await noFrame();
    expect((await heard()).filter((entry) => !entry.endsWith('read'))).toEqual([
      'resolving',
      'sandbox-loading',
      'connecting',
      'initialized',
      'ready',
      'one onReady',
      'tearing-down',
      'one bye',
      'closed',
    ]);
    expect(await page.evaluate(() => window.listeners)).toBe(before);
  });

  it('R155 waits 2 s at most for a view that does not answer', async () => {
    await ready();
    await view().evaluate('app.onteardown = () => new Promise(() => undefined)');
    const started = Date.now();
    await show(null);
    await hear('closed');
    const tookMs = Date.now() - started;
    await noFrame();
    expect(tookMs).toBeGreaterThanOrEqual(1_900);
    expect(tookMs).toBeLessThan(4_000);
  });
});

describe('the mode of a view', () => {
  const wish = (mode: string): Promise<unknown> =>
    view().evaluate(`app.requestDisplayMode({ mode: '${mode}' }).then(({ mode }) => mode)`);
  const width = (): Promise<number> =>
    page.evaluate(() => document.querySelector('iframe')?.getBoundingClientRect().width ?? 0);

  it('R156 follows the view where the page does not decide, by style alone and with a way back', async () => {
    await ready();
    await keepFrame();
    expect(await width()).toBe(768);
    expect(await wish('fullscreen')).toBe('fullscreen');
    expect(await width()).toBe(await page.evaluate(() => innerWidth));
    expect(await heard()).toContain('one mode fullscreen');
    await page.click('text=Exit full screen');
    await page.waitForFunction(() => document.querySelector('iframe')?.getBoundingClientRect().width === 768);
    expect(await heard()).toContain('one mode inline');
    expect([await isSameFrame(), await count('ui/initialize')]).toEqual([true, 1]);
  });

  it('R156 is the one of the page where that decides', async () => {
    await ready({ props: { displayMode: 'inline' } });
    await keepFrame();
    expect(await wish('fullscreen')).toBe('inline');
    expect(await heard()).toContain('one mode fullscreen');
    await show({ props: { displayMode: 'fullscreen' } });
    await page.waitForFunction(
      () => document.querySelector('iframe')?.getBoundingClientRect().width === innerWidth,
    );
    expect([await isSameFrame(), await count('ui/initialize')]).toEqual([true, 1]);
  });
});

it('R168 shows what a server says as text', async () => {
  await show({ failing: true });
  await hear('error resource_unreadable');
  const alert = await page.evaluate(() => {
    const found = document.querySelector('[role=alert]');
    return { text: found?.textContent ?? '', elements: found?.querySelectorAll('*').length };
  });
  expect(alert.text).toContain('<img src=x onerror=');
  expect(alert.elements).toBe(0);
  expect(await page.title()).toBe('Before');
});
