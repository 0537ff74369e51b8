import type { Browser, Frame, Page } from 'playwright-core';
import { frameHeaders } from '../packages/frames/src/headers.ts';
import { injectKernel } from '../packages/frames/src/inject-kernel.ts';
import type { mountFrame } from '../packages/frames/src/dom/mount-frame.ts';
import { launchBrowser } from './browser.ts';
import { bundleScript, createSandboxSite } from './sandbox-site.ts';
import type { SandboxSite } from './sandbox-site.ts';
import type {} from './shell-page.ts';

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

/** A page of the frame's own methods, untyped because tests pass what pages ought not to. */
export interface PageWindow {
  readonly claude: { readonly mcp: Record<string, (...args: unknown[]) => Promise<unknown>> };
}

export interface MountChoice {
  /** Leaves the calls to the test, which answers them by `window.answers`. */
  readonly hold?: boolean;
  /** False: the viewer has not decided yet. */
  readonly allow?: boolean;
}

/** A shell in Chromium and published pages, each on an origin of its own. */
export interface FrameWorld {
  readonly site: SandboxSite;
  readonly page: Page;
  readonly kernel: string;
  /** Loads the shell anew. */
  reload(): Promise<void>;
  /** Publishes a page on a host of its own, as the product does; answers that host's name. */
  publish(html: string, mcp?: boolean): string;
  mount(name: string, choice?: MountChoice): Promise<Frame>;
  /** The frame of a host once it has shaken hands. */
  frameOf(name: string): Promise<Frame>;
  close(): Promise<void>;
}

export async function createFrameWorld(): Promise<FrameWorld> {
  const [shell, kernel, browser, site] = await Promise.all([
    bundleScript('testing/shell-page.ts'),
    bundleScript('packages/frames/src/dom/kernel.ts'),
    launchBrowser() as Promise<Browser>,
    createSandboxSite(),
  ]);
  site.serve('portico', '/shell', {
    body: `<!doctype html><title>shell</title><body><script>${shell}</script>`,
    headers: { 'content-security-policy': `frame-src http://*.localhost:${site.port}` },
  });
  const page = await browser.newPage();
  const shellOrigin = site.origin('portico');
  let count = 0;
  const frameOf = async (name: string): Promise<Frame> => {
    await page.waitForFunction(() => window.states.includes('ready'));
    const frame = page.frames().find((candidate) => candidate.url().startsWith(site.origin(name)));
    if (frame === undefined) throw new Error('the frame is not there');
    await frame.waitForLoadState();
    return frame;
  };
  return {
    site,
    page,
    kernel,
    frameOf,
    async reload() {
      await page.goto(`${shellOrigin}/shell`);
    },
    publish(html, mcp = true) {
      count += 1;
      const name = `a${count}`;
      const body = injectKernel(html, kernel, { shellOrigin, mcp });
      site.serve(name, '/frame/t', { body, headers: frameHeaders({ shellOrigin }) });
      return name;
    },
    async mount(name, choice = {}) {
      const session = {
        frameId: name,
        url: `${site.origin(name)}/frame/t`,
        origin: site.origin(name),
        artifact: {
          title: 'Board',
          servers: [{ name: 'Acme', tools: ['get'] }],
          grants: [{ server: 'Acme', state: choice.allow === false ? ('ask' as const) : ('allow' as const) }],
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
                const answer = {
                  ok: true as const,
                  result: { content: [{ type: 'text', text: '{"n":1}' }] },
                };
                if (!hold) return Promise.resolve(answer);
                return new Promise((resolve) => window.answers.push(() => resolve(answer)));
              },
              listTools: () =>
                Promise.resolve({
                  servers: [{ server: 'Acme', authStatus: 'connected' as const, tools: [] }],
                }),
            },
            ask(servers) {
              window.asked.push([...servers]);
              return Promise.resolve(Object.fromEntries(servers.map((server) => [server, 'allow' as const])));
            },
            onState: (state) => window.states.push(state.status),
          });
        },
        { session, hold: choice.hold === true },
      );
      return await frameOf(name);
    },
    async close() {
      await browser.close();
      await site.close();
    },
  };
}

/** Calls the one published tool from the page; a failure comes back as its members. */
export async function callFrom(frame: Frame): Promise<unknown> {
  return await frame.evaluate(async () => {
    const { callTool } = (window as unknown as PageWindow).claude.mcp;
    return await callTool?.('Acme', 'get', { q: 1 }).catch((error: unknown) => ({ ...(error as object) }));
  });
}
