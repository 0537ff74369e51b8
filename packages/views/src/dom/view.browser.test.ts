import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../../testing/browser.ts';
import { bundleScript, createSandboxSite } from '../../../../testing/sandbox-site.ts';
import type { SandboxSite } from '../../../../testing/sandbox-site.ts';
import type {} from '../../../../testing/shell-page.ts';
import { proxyDocument, sandboxFallbackHeaders, viewDocument } from '../sandbox/documents.ts';
import type { ViewResource } from '../view-resource.ts';
import type { mountView } from './mount-view.ts';

declare global {
  interface Window {
    viewStates: { status: string; reason?: { ruleId: string } }[];
    serverRequests: { method: string; params: Record<string, unknown> }[];
    fireTimer: () => void;
    view: ReturnType<typeof mountView>;
    messages: unknown[];
    record: unknown;
  }
}

let browser: Browser;
let site: SandboxSite;
/** Another port, and so another site: what a view must not reach. */
let outside: SandboxSite;
let proxyScript: string;
let appScript: string;
let page: Page;
let count = 0;

beforeAll(async () => {
  const [shell] = await Promise.all([
    bundleScript('testing/shell-page.ts'),
    bundleScript('packages/views/src/dom/proxy.ts').then((code) => (proxyScript = code)),
    bundleScript('testing/view-page.ts', 'apps').then((code) => (appScript = code)),
    launchBrowser().then((launched) => (browser = launched)),
    createSandboxSite(sandboxFallbackHeaders()).then((created) => (site = created)),
    createSandboxSite({ 'access-control-allow-origin': '*' }).then((created) => (outside = created)),
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
  await outside.close();
});
beforeEach(async () => {
  await page.goto(`${site.origin('portico')}/shell`);
});

/** Serves a view on an origin of its own, as the product does; answers that host's name. */
function serveView(html: string, resource: Partial<ViewResource> = {}): string {
  count += 1;
  const name = `v${count}`;
  const shellOrigin = site.origin('portico');
  site.serve(
    name,
    '/view/t',
    proxyDocument({
      shellOrigin,
      appPath: '/view/t/app',
      script: proxyScript,
      nonce: 'n'.repeat(24),
      allow: '',
    }),
  );
  site.serve(
    name,
    '/view/t/app',
    viewDocument({ shellOrigin, resource: { uri: 'ui://x', html, csp: {}, permissions: {}, ...resource } }),
  );
  return name;
}

/** A view that uses the real App; `script` runs with `app` before it connects. */
function appHtml(script = ''): string {
  return `<!doctype html><body><script>${appScript}</script><script>
    window.record = [];
    const app = new apps.App({ name: 'Probe', version: '1.0.0' }, {}, { autoResize: false });
    app.ontoolinput = (params) => record.push(['input', params.arguments]);
    app.ontoolresult = (params) => record.push(['result', params.structuredContent]);
    ${script}
    app.connect().then(() => record.push('connected'));
  </script>`;
}

async function mount(name: string): Promise<void> {
  await page.evaluate(
    ({ url, origin }) => {
      window.viewStates = [];
      window.serverRequests = [];
      window.view = window.portico.mountView(document.body, {
        session: {
          viewId: 'v',
          url,
          origin,
          connectorName: 'Acme',
          allow: '',
          tool: { name: 'show', title: 'Show it' },
          call: {
            id: 'c1',
            arguments: { a: 1 },
            status: 'done',
            result: { content: [], structuredContent: { n: 2 } },
          },
        },
        hostInfo: { name: 'Portico', version: '0.1.0' },
        hostContext: { theme: 'dark' },
        clock: {
          now: () => Date.now(),
          setTimer: (_delayMs, run) => {
            window.fireTimer = run;
            return { cancel: () => (window.fireTimer = () => undefined) };
          },
        },
        host: {
          serverRequest(request) {
            window.serverRequests.push(request as never);
            return Promise.resolve({ result: { content: [{ type: 'text', text: 'from the server' }] } });
          },
        },
        onState: (state) => window.viewStates.push(state),
      });
    },
    { url: `${site.origin(name)}/view/t`, origin: site.origin(name) },
  );
}

async function viewFrame(name: string): Promise<Frame> {
  const find = (): Frame | undefined =>
    page.frames().find((frame) => frame.url() === `${site.origin(name)}/view/t/app`);
  await expect.poll(find).toBeDefined();
  const frame = find();
  if (frame === undefined) throw new Error('the view is not there');
  await frame.waitForLoadState();
  return frame;
}

const ready = (): Promise<unknown> =>
  page.waitForFunction(() => window.viewStates.at(-1)?.status === 'ready');

/** Mounts a view that uses the App and waits until it is ready. */
async function openApp(script = '', resource: Partial<ViewResource> = {}): Promise<Frame> {
  const name = serveView(appHtml(script), resource);
  await mount(name);
  await ready();
  return await viewFrame(name);
}

describe('a view in the shell', () => {
  it('connects the real App through the proxy and tells it its call', async () => {
    const frame = await openApp();
    await frame.waitForFunction(() => (window.record as unknown[]).length === 3);
    expect(await frame.evaluate(() => window.record)).toEqual([
      'connected',
      ['input', { a: 1 }],
      ['result', { n: 2 }],
    ]);
    expect(await page.evaluate(() => window.viewStates)).toEqual([
      { status: 'loading' },
      { status: 'ready', appName: 'Probe', appVersion: '1.0.0' },
    ]);
    const element = await page.$('iframe');
    expect(await element?.getAttribute('title')).toBe('Show it – Acme');
  });

  it('lets the App call its server', async () => {
    const frame = await openApp();
    const result = await frame.evaluate("app.callServerTool({ name: 'x', arguments: { b: 2 } })");
    expect(result).toMatchObject({ content: [{ text: 'from the server' }] });
    expect(await page.evaluate(() => window.serverRequests)).toMatchObject([
      { method: 'tools/call', params: { name: 'x', arguments: { b: 2 } } },
    ]);
  });

  it('apps-P13 resizes the frame as the view asks, up to the announced maximum', async () => {
    const frame = await openApp();
    expect(await frame.evaluate('app.getHostContext().containerDimensions')).toMatchObject({
      maxHeight: 800,
    });
    const heightAfter = async (height: number): Promise<string> => {
      const before = await page.evaluate(() => window.view.element.style.height);
      await frame.evaluate(`app.sendSizeChanged({ height: ${height} })`);
      await page.waitForFunction((old) => window.view.element.style.height !== old, before);
      return await page.evaluate(() => window.view.element.style.height);
    };
    expect(await heightAfter(321.5)).toBe('322px');
    expect(await heightAfter(5_000)).toBe('800px');
    expect(await heightAfter(0)).toBe('40px');
  });

  it('apps-D55 keeps its document when it is moved, without a second handshake', async () => {
    const frame = await openApp();
    await frame.evaluate(() => (window.record = ['kept']));
    const moved = await page.evaluate(() => {
      const panel = document.createElement('aside');
      document.body.append(panel);
      return [window.view.moveTo(panel), window.view.element.parentElement === panel];
    });
    expect(moved).toEqual([true, true]);
    expect(await frame.evaluate(() => window.record)).toEqual(['kept']);
    expect(await frame.evaluate("app.callServerTool({ name: 'x' })")).toMatchObject({ content: [{}] });
    expect(await page.evaluate(() => window.viewStates.map((state) => state.status))).toEqual([
      'loading',
      'ready',
    ]);
  });

  it('may clean up before it goes, even when its place has gone', async () => {
    await openApp("app.onteardown = async () => { await app.callServerTool({ name: 'save' }); return {}; };");
    await page.evaluate(() => {
      const place = document.createElement('div');
      document.body.append(place);
      window.view.moveTo(place);
      const gone = window.view.dispose();
      place.remove();
      return gone;
    });
    expect(await page.evaluate(() => window.serverRequests.map(({ params }) => params['name']))).toEqual([
      'save',
    ]);
    expect(await page.evaluate(() => document.querySelector('iframe'))).toBeNull();
  });

  it('is reported when it does not start, and still counts when it does later', async () => {
    const name = serveView('<!doctype html><script>addEventListener("click", () => undefined)</script>');
    await mount(name);
    await viewFrame(name);
    await page.evaluate(() => window.fireTimer());
    expect(await page.evaluate(() => window.viewStates.at(-1))).toMatchObject({
      status: 'failed',
      reason: { ruleId: 'apps-P9' },
    });
    const frame = await viewFrame(name);
    await frame.evaluate(appScript.replace('var apps', 'window.apps'));
    await frame.evaluate("new apps.App({ name: 'Late', version: '1' }, {}, { autoResize: false }).connect()");
    await ready();
  });

  it('apps-W6 starts no download by link, blob or data address', async () => {
    const downloads: unknown[] = [];
    page.on('download', (download) => downloads.push(download));
    for (const address of ['"/view/t/app"', 'URL.createObjectURL(new Blob(["x"]))', '"data:text/plain,x"']) {
      // The browser says it once for each page.
      await page.goto(`${site.origin('portico')}/shell`);
      const frame = await openApp();
      const refused = page.waitForEvent('console', (message) =>
        /download is disallowed/i.test(message.text()),
      );
      await frame.evaluate(
        `Object.assign(document.createElement('a'), { href: ${address}, download: 'x' }).click()`,
      );
      await refused;
    }
    expect(downloads).toEqual([]);
  });

  it('apps-P7 has two frames on an origin that is not the shell’s', async () => {
    const frame = await openApp();
    const outer = await page.$('iframe');
    const sandbox = 'allow-scripts allow-same-origin allow-forms';
    expect(await outer?.getAttribute('sandbox')).toBe(sandbox);
    const inner = await (await outer?.contentFrame())?.$('iframe');
    expect(await inner?.getAttribute('sandbox')).toBe(sandbox);
    expect(new URL(frame.url()).origin).not.toBe(site.origin('portico'));
    expect(await frame.evaluate(() => location.origin)).toBe(new URL(frame.url()).origin);
  });
});

describe('the proxy', () => {
  it('apps-P15 carries every message but the sandbox’s own, both ways, and says nothing itself', async () => {
    const name = serveView(`<!doctype html><script>
      window.messages = [];
      addEventListener('message', ({ data }) => messages.push(data));
      for (const message of [
        { jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} },
        { jsonrpc: '2.0', method: 'ui/notifications/anything', params: { n: 1 } },
        { jsonrpc: '2.0', id: 7, result: { odd: true } },
        'no message at all',
        { jsonrpc: '2.0', id: 8, method: 'custom/request' },
      ]) parent.postMessage(message, '*');
    </script>`);
    const url = `${site.origin(name)}/view/t`;
    await page.evaluate(async (address) => {
      window.messages = [];
      addEventListener('message', ({ data }) => window.messages.push(data));
      const frame = document.createElement('iframe');
      frame.src = address;
      await new Promise((resolve) => {
        frame.onload = resolve;
        document.body.append(frame);
      });
    }, url);
    await page.waitForFunction(() => window.messages.length === 3);
    await page.evaluate(() => {
      const target = document.querySelector('iframe')?.contentWindow;
      for (const method of [
        'ui/notifications/sandbox-resource-ready',
        'ui/notifications/tool-input',
        'last',
      ]) {
        target?.postMessage({ jsonrpc: '2.0', method, params: {} }, '*');
      }
    });
    const frame = await viewFrame(name);
    await frame.waitForFunction(() => window.messages.length === 2);
    expect(await frame.evaluate(() => window.messages)).toMatchObject([
      { method: 'ui/notifications/tool-input' },
      { method: 'last' },
    ]);
    expect(await page.evaluate(() => window.messages)).toMatchObject([
      { method: 'ui/notifications/anything', params: { n: 1 } },
      { id: 7, result: { odd: true } },
      { id: 8, method: 'custom/request' },
    ]);
  });
});

describe('the policy of a view', () => {
  it('apps-P8 lets it reach what it declared and nothing else', async () => {
    outside.serve('api', '/data', { body: '"data"', headers: { 'access-control-allow-origin': '*' } });
    outside.serve('cdn', '/lib.js', {
      body: 'window.record.push("lib")',
      headers: { 'content-type': 'text/javascript' },
    });
    outside.serve('embed', '/', { body: '<!doctype html>embedded' });
    const declared = await openApp('', {
      csp: {
        connectDomains: [outside.origin('api')],
        resourceDomains: [outside.origin('cdn')],
        frameDomains: [outside.origin('embed')],
        baseUriDomains: [outside.origin('base')],
      },
    });
    const undeclared = await openApp();
    const addresses = {
      data: `${outside.origin('api')}/data`,
      lib: `${outside.origin('cdn')}/lib.js`,
      embed: `${outside.origin('embed')}/`,
      base: `${outside.origin('base')}/x/`,
    };
    const probe = (frame: Frame): Promise<unknown> =>
      frame.evaluate(async (to) => {
        const blocked: string[] = [];
        document.addEventListener('securitypolicyviolation', (event) =>
          blocked.push(event.effectiveDirective),
        );
        const data = await fetch(to.data).then(
          (response) => response.text(),
          () => 'refused',
        );
        const lib = await new Promise((resolve) => {
          const script = Object.assign(document.createElement('script'), { src: to.lib });
          script.onload = () => resolve('loaded');
          script.onerror = () => resolve('refused');
          document.body.append(script);
        });
        await new Promise((resolve) => {
          const nested = Object.assign(document.createElement('iframe'), { src: to.embed, onload: resolve });
          document.body.append(nested);
        });
        document.head.append(Object.assign(document.createElement('base'), { href: to.base }));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return { data, lib, base: document.baseURI === to.base, blocked: blocked.toSorted() };
      }, addresses);
    expect(await probe(declared)).toEqual({ data: '"data"', lib: 'loaded', base: true, blocked: [] });
    const before = outside.requests.length;
    expect(await probe(undeclared)).toEqual({
      data: 'refused',
      lib: 'refused',
      base: false,
      blocked: ['base-uri', 'connect-src', 'frame-src', 'script-src-elem'],
    });
    expect(outside.requests.slice(before)).toEqual([]);
  });

  it('lets code that makes code and blob workers run', async () => {
    const frame = await openApp();
    expect(
      await frame.evaluate(async () => {
        const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(eval("1 + 1"))'])));
        const answer = await new Promise((resolve) => (worker.onmessage = (event) => resolve(event.data)));
        return answer;
      }),
    ).toBe(2);
    expect(await frame.evaluate("new Function('return 6 * 7')()")).toBe(42);
  });
});
