import { act, cleanup, render } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ViewRenderer } from './view-renderer.tsx';
import type { ViewRendererProps } from './view-renderer.tsx';
import type { ViewServer } from './view-source.ts';

afterEach(cleanup);
/** Faults of the page's own callbacks. */
const reported: unknown[] = [];
beforeAll(() => {
  // The simulated DOM lacks both.
  vi.stubGlobal('origin', window.location.origin);
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
});
afterAll(() => vi.unstubAllGlobals());

const URI = 'ui://probe/a';
const HTML = { mimeType: 'text/html;profile=mcp-app', text: '<p>view' };
const TOOL = { name: 'show', title: 'Show it', inputSchema: { type: 'object' as const } };

interface Call {
  readonly name: string;
  readonly timeout: number | undefined;
}

/** A server that hands out one document, and what was asked of it. */
function createServer(item: object | Error = HTML) {
  const calls: Call[] = [];
  const server = {
    state: 'ready' as 'ready' | 'discovering',
    client: null,
    tools: [TOOL],
    resources: [],
    callTool: (name: string, _args?: object, options?: { timeout?: number }) => {
      calls.push({ name, timeout: options?.timeout });
      return Promise.resolve({ content: [] });
    },
    readResource: vi.fn<ViewServer['readResource']>((uri) =>
      item instanceof Error
        ? Promise.reject(item)
        : Promise.resolve({ contents: [{ uri, text: '', ...item }] }),
    ),
  };
  return { server, calls };
}

interface Shown {
  readonly calls: readonly Call[];
  readonly container: HTMLElement;
  readonly frame: () => HTMLIFrameElement | null;
  readonly show: (props: Partial<ViewRendererProps>) => Promise<void>;
  /** Lets the view say something. */
  readonly say: (message: object) => Promise<void>;
  /** Says all that a view says until it is ready. */
  readonly start: () => Promise<void>;
  /** Methods, and what they carry, that were sent to the view since the last time. */
  readonly sent: () => readonly (readonly [string, unknown])[];
}

async function showView(first: Partial<ViewRendererProps> = {}, item?: object | Error): Promise<Shown> {
  const { server, calls } = createServer(item);
  const base = { source: { server, tool: TOOL, resourceUri: URI }, hostContext: { theme: 'light' as const } };
  const { container, rerender } = render(<ViewRenderer {...base} {...first} />);
  await act(async () => {});
  const frame = (): HTMLIFrameElement | null => container.querySelector('iframe');
  const window_ = frame()?.contentWindow ?? null;
  let sent: [string, unknown][] = [];
  if (window_ !== null) {
    vi.spyOn(window_, 'postMessage').mockImplementation((message: unknown) => {
      const { method, params } = message as { method?: string; params?: unknown };
      if (method !== undefined) sent.push([method.replace('ui/notifications/', ''), params]);
    });
  }
  const say = (message: object): Promise<void> =>
    act(async () => {
      const data = { jsonrpc: '2.0', ...message };
      window.dispatchEvent(new MessageEvent('message', { source: window_, origin: 'null', data }));
    });
  return {
    calls,
    container,
    frame,
    say,
    show: (props) => act(async () => rerender(<ViewRenderer {...base} {...first} {...props} />)),
    async start() {
      await say({ method: 'ui/notifications/sandbox-proxy-ready', params: {} });
      const params = {
        appInfo: { name: 'Probe', version: '1' },
        appCapabilities: {},
        protocolVersion: '2026-01-26',
      };
      await say({ id: 1, method: 'ui/initialize', params });
      await say({ method: 'ui/notifications/initialized', params: {} });
    },
    sent() {
      const until = sent;
      sent = [];
      return until;
    },
  };
}

describe('ViewRenderer', () => {
  it.each([
    ['a failed read', new Error('<b>gone</b>'), 'resource_unreadable'],
    ['a wrong media type', { mimeType: 'text/html', text: '<p>' }, 'not_a_view'],
    ['an empty document', { ...HTML, text: ' ' }, 'not_a_view'],
  ])('R153 shows an alert and no frame after %s, and tells it once', async (_what, item, code) => {
    const onError = vi.fn<NonNullable<ViewRendererProps['onError']>>();
    const steps: unknown[] = [];
    const onLifecycleChange: ViewRendererProps['onLifecycleChange'] = (status, error) =>
      steps.push([status, typeof error?.message]);
    const { container, frame, show } = await showView({ onError, onLifecycleChange }, item);
    await show({ onError, onLifecycleChange });
    const alerts = container.querySelectorAll('[role=alert]');
    expect([alerts.length, alerts[0]?.children.length]).toEqual([1, 0]);
    expect(alerts[0]?.textContent).not.toBe('');
    expect(frame()).toBeNull();
    expect(onError.mock.calls.map(([error]) => error.code)).toEqual([code]);
    expect(steps).toEqual([
      ['resolving', 'undefined'],
      ['error', 'string'],
    ]);
  });

  it('R153 leaves the rest of the page working when a callback throws', async () => {
    const fault = new Error('of the page');
    const onLifecycleChange = (): void => {
      throw fault;
    };
    const { frame, start, sent } = await showView({ onLifecycleChange, toolInput: { n: 1 } });
    await start();
    expect(frame()).not.toBeNull();
    expect(sent().map(([method]) => method)).toContain('tool-input');
    expect(new Set(reported)).toEqual(new Set([fault]));
  });

  it('R154 sends nothing early, the call in its order, and each change once', async () => {
    const view = await showView({ partialToolInput: { n: 0 } });
    const result = { content: [], structuredContent: { n: 1 } };
    await view.show({ partialToolInput: { n: 0 }, toolOutput: result });
    expect(view.sent()).toEqual([]);
    await view.start();
    expect(view.sent().map(([method]) => method)).toEqual(['sandbox-resource-ready']);
    const input = { n: 1, list: [1, { a: 2 }] };
    await view.show({ toolInput: input, toolOutput: result });
    expect(view.sent()).toEqual([
      ['tool-input', { arguments: input }],
      ['tool-result', result],
    ]);
    await view.show({ toolInput: { list: [1, { a: 2 }], n: 1 }, toolOutput: structuredClone(result) });
    await view.show({
      toolInput: structuredClone(input),
      toolOutput: result,
      hostContext: { theme: 'light' },
    });
    expect(view.sent()).toEqual([]);
    await view.show({ toolInput: input, toolOutput: result, hostContext: { theme: 'dark' } });
    expect(view.sent()).toEqual([['host-context-changed', { theme: 'dark' }]]);
    const next = { ...result, structuredContent: { n: 2 } };
    await view.show({ toolInput: { n: 2 }, toolOutput: next, hostContext: { theme: 'dark' } });
    expect(view.sent()).toEqual([
      ['tool-input', { arguments: { n: 2 } }],
      ['tool-result', next],
    ]);
  });

  it('R154 tells growing input until the whole is there, and a cancelled call once', async () => {
    const view = await showView();
    await view.start();
    view.sent();
    await view.show({ partialToolInput: { t: 'a' } });
    await view.show({ partialToolInput: { t: 'a' } });
    await view.show({ partialToolInput: { t: 'ab' } });
    await view.show({ partialToolInput: { t: 'ab' }, cancelled: 'stopped' });
    await view.show({ partialToolInput: { t: 'ab' }, cancelled: true, toolOutput: { content: [] } });
    expect(view.sent()).toEqual([
      ['tool-input-partial', { arguments: { t: 'a' } }],
      ['tool-input-partial', { arguments: { t: 'ab' } }],
      ['tool-cancelled', { reason: 'stopped' }],
    ]);
  });

  it('R157 names the frame, takes class and test id, and marks nothing outside', async () => {
    const before = document.head.innerHTML;
    const { container, frame } = await showView({ className: 'mine', testId: 'the-view' });
    const own = container.firstElementChild;
    const inner = frame()?.parentElement;
    expect([own?.className, own?.getAttribute('data-testid')]).toEqual(['mine', 'the-view']);
    expect(frame()?.title).toBe('Show it');
    expect(inner?.style.maxWidth).toBe('768px');
    expect(own?.querySelectorAll('[class]').length).toBe(0);
    expect([document.head.innerHTML, document.body.attributes.length]).toEqual([before, 0]);
    expect(document.body.children).toHaveLength(1);
  });

  it('R157 gives a call of the view 600 s, or the time that is set', async () => {
    const view = await showView();
    await view.start();
    await view.say({ id: 2, method: 'tools/call', params: { name: 'show', arguments: {} } });
    await view.show({ toolCallTimeout: 5_000, inlineMaxWidth: 500 });
    await view.say({ id: 3, method: 'tools/call', params: { name: 'show', arguments: {} } });
    expect(view.calls).toEqual([
      { name: 'show', timeout: 600_000 },
      { name: 'show', timeout: 5_000 },
    ]);
    expect(view.frame()?.parentElement?.style.maxWidth).toBe('500px');
  });

  it('waits for a server that is not ready, and then reads once', async () => {
    const { server } = createServer();
    const source = (state: 'discovering' | 'ready') => ({
      server: {
        ...server,
        state,
        tools: state === 'ready' ? [{ ...TOOL, _meta: { ui: { resourceUri: URI } } }] : [],
      },
      tool: 'show',
    });
    const view = await showView({ source: source('discovering') });
    expect([server.readResource.mock.calls.length, view.frame()]).toEqual([0, null]);
    await view.show({ source: source('ready') });
    await view.show({ source: source('ready') });
    expect(server.readResource.mock.calls).toEqual([[URI]]);
    expect(view.frame()).not.toBeNull();
  });
});
