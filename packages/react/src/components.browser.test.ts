import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../testing/browser.ts';
import type { Rendered } from '../../../testing/react-page.tsx';
import { bundleScript, createSandboxSite } from '../../../testing/sandbox-site.ts';
import type { SandboxSite } from '../../../testing/sandbox-site.ts';
import { proxyDocument, sandboxFallbackHeaders, viewDocument } from '@portico/views';
import { frameHeaders, injectKernel } from '@portico/frames';

interface ShellWindow {
  portico: { renderView(): Rendered; renderFrame(): Rendered };
  heard: string[];
  states: string[];
  rendered: Rendered;
  base: object;
}

let browser: Browser;
let site: SandboxSite;
let page: Page;
/** Paths of what the page asked for; a server may hear of one twice, since the browser repeats requests. */
const asked: string[] = [];

const VIEW_SCRIPT = `
  window.loadedAs = Math.random();
  const app = new apps.App({ name: 'Probe', version: '1' }, {}, { autoResize: false });
  app.onteardown = async () => { await app.callServerTool({ name: 'bye' }); return {}; };
  app.onhostcontextchanged = (params) => void app.callServerTool({ name: 'theme-' + params.theme });
  app.ontoolresult = (params) => void app.callServerTool({ name: 'result-' + params.structuredContent.n });
  app.connect();`;

beforeAll(async () => {
  let shell = '';
  let proxy = '';
  let kernel = '';
  let apps = '';
  await Promise.all([
    bundleScript('testing/react-page.tsx').then((code) => (shell = code)),
    bundleScript('packages/views/src/dom/proxy.ts').then((code) => (proxy = code)),
    bundleScript('packages/frames/src/dom/kernel.ts').then((code) => (kernel = code)),
    bundleScript('testing/view-page.ts', 'apps').then((code) => (apps = code)),
    launchBrowser().then((launched) => (browser = launched)),
    createSandboxSite(sandboxFallbackHeaders()).then((created) => (site = created)),
  ]);
  const shellOrigin = site.origin('portico');
  site.serve('portico', '/shell', { body: `<!doctype html><body><script>${shell}</script>` });
  const nonce = 'n'.repeat(24);
  site.serve(
    'view',
    '/view/t',
    proxyDocument({ shellOrigin, appPath: '/view/t/app', script: proxy, nonce, allow: '' }),
  );
  const html = `<!doctype html><script>${apps}</script><script>${VIEW_SCRIPT}</script>`;
  site.serve(
    'view',
    '/view/t/app',
    viewDocument({ shellOrigin, resource: { uri: 'ui://x', html, csp: {}, permissions: {} } }),
  );
  site.serve('artifact', '/frame/t', {
    body: injectKernel('<!doctype html>', kernel, { shellOrigin, mcp: true }),
    headers: frameHeaders({ shellOrigin }),
  });
  page = await browser.newPage();
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
});
afterAll(async () => {
  await browser.close();
  await site.close();
});
beforeEach(async () => {
  await page.goto(`${site.origin('portico')}/shell`);
});

const heard = (): Promise<string[]> => page.evaluate(() => (window as unknown as ShellWindow).heard);
const waitFor = (text: string): Promise<unknown> =>
  page.waitForFunction((wanted) => (window as unknown as ShellWindow).heard.includes(wanted), text);
const requestsFor = (path: string): number => asked.filter((request) => request === path).length;
const appFrame = (): Frame | undefined => page.frames().find((frame) => frame.url().endsWith('/view/t/app'));

/** Renders the view for the first time, each handler tagged with the render it belongs to. */
async function renderView(): Promise<void> {
  await page.evaluate((origin) => {
    const shell = window as unknown as ShellWindow;
    shell.heard = [];
    shell.rendered = shell.portico.renderView();
    shell.base = {
      session: {
        viewId: 'v1',
        url: `${origin}/view/t`,
        origin,
        connectorName: 'Acme',
        allow: '',
        tool: { name: 'show' },
        call: { id: 'c1', arguments: {}, status: 'running' },
      },
      hostInfo: { name: 'Portico', version: '1' },
      hostContext: { theme: 'light' },
      onState: (state: { status: string }) => shell.heard.push(state.status),
      host: {
        serverRequest(request: { params: { name: string } }) {
          shell.heard.push(`first ${request.params.name}`);
          return Promise.resolve({ result: { content: [] } });
        },
      },
    };
    shell.rendered.render(shell.base);
  }, site.origin('view'));
  await waitFor('ready');
}

describe('SessionView', () => {
  it('mounts once in strict mode and stays the same document through renders', async () => {
    const before = requestsFor('/view/t/app');
    await renderView();
    const document = await appFrame()?.evaluate('window.loadedAs');
    await page.evaluate(() => {
      const shell = window as unknown as ShellWindow;
      const base = shell.base as { session: { call: object } };
      const call = {
        ...base.session.call,
        status: 'done',
        result: { content: [], structuredContent: { n: 5 } },
      };
      shell.rendered.render({
        ...base,
        session: { ...base.session, call },
        hostContext: { theme: 'dark' },
        host: {
          serverRequest(request: { params: { name: string } }) {
            shell.heard.push(`second ${request.params.name}`);
            return Promise.resolve({ result: { content: [] } });
          },
        },
      });
    });
    await Promise.all([waitFor('second result-5'), waitFor('second theme-dark')]);
    expect(await appFrame()?.evaluate('window.loadedAs')).toBe(document);
    expect(requestsFor('/view/t/app') - before).toBe(1);
    expect((await heard()).filter((entry) => entry === 'loading' || entry === 'ready')).toEqual([
      'loading',
      'ready',
    ]);
  });

  it('lets the view clean up when it is taken away', async () => {
    await renderView();
    await page.evaluate(() => (window as unknown as ShellWindow).rendered.render(null));
    await waitFor('first bye');
    await page.waitForFunction(() => document.querySelector('iframe') === null);
  });

  it('mounts anew for another session', async () => {
    await renderView();
    const before = requestsFor('/view/t/app');
    await page.evaluate(() => {
      const shell = window as unknown as ShellWindow;
      const base = shell.base as { session: object };
      shell.rendered.render({ ...base, session: { ...base.session, viewId: 'v2' } });
    });
    await waitFor('first bye');
    await page.waitForFunction(
      () => (window as unknown as ShellWindow).heard.filter((entry) => entry === 'ready').length === 2,
    );
    expect(requestsFor('/view/t/app') - before).toBe(1);
  });
});

describe('ArtifactFrame', () => {
  it('mounts once in strict mode, asks with the latest dialog and serves its calls', async () => {
    const before = requestsFor('/frame/t');
    await page.evaluate((origin) => {
      const shell = window as unknown as ShellWindow;
      shell.heard = [];
      shell.rendered = shell.portico.renderFrame();
      const props = (tag: string) => ({
        session: {
          frameId: 'f1',
          url: `${origin}/frame/t`,
          origin,
          artifact: {
            title: 'Board',
            servers: [{ name: 'Acme', tools: ['get'] }],
            grants: [{ server: 'Acme', state: 'ask' }],
          },
        },
        gateway: {
          callTool() {
            shell.heard.push(`${tag} call`);
            return Promise.resolve({ ok: true, result: { content: [] } });
          },
          listTools: () =>
            Promise.resolve({ servers: [{ server: 'Acme', authStatus: 'connected', tools: [] }] }),
        },
        ask() {
          shell.heard.push(`${tag} ask`);
          return Promise.resolve({ Acme: 'allow' });
        },
        onState: (state: { status: string }) => shell.heard.push(state.status),
      });
      shell.rendered.render(props('first'));
      shell.base = { second: () => shell.rendered.render(props('second')) };
    }, site.origin('artifact'));
    await waitFor('ready');
    await page.evaluate(() => ((window as unknown as ShellWindow).base as { second(): void }).second());
    const frame = page.frames().find((candidate) => candidate.url().endsWith('/frame/t'));
    expect(await frame?.evaluate("claude.mcp.callTool('Acme', 'get')")).toEqual({ content: [] });
    expect(await heard()).toEqual(['loading', 'ready', 'second ask', 'second call']);
    expect(requestsFor('/frame/t') - before).toBe(1);
  });
});
