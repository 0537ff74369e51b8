// What browser tests load into a page that shows documents of a server as views, as `portico`.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ViewRenderer } from '../packages/react/src/view-renderer.tsx';
import type { ViewRendererProps } from '../packages/react/src/view-renderer.tsx';

/** Props without functions, as tests can hand them over. */
export type PlainProps = Partial<Record<keyof ViewRendererProps, unknown>>;

export interface PageRender {
  /** Tags what the callbacks of this render and its connection write down. */
  readonly tag?: string;
  readonly resourceUri?: string;
  /** Names of callbacks that this render leaves out. */
  readonly without?: readonly string[];
  readonly props?: PlainProps;
  /** Start of the address that a function answers for a resource. */
  readonly makeSandboxUrl?: string;
  /** Whether the server refuses to be read. */
  readonly failing?: boolean;
}

declare global {
  interface Window {
    /** Documents of the server by their address. */
    documents: Record<string, unknown>;
    heard: string[];
    /** Methods that came from frames. */
    methods: string[];
    /** Message listeners that this page has now. */
    listeners: number;
    violations: string[];
    show(render: PageRender | null): void;
  }
}

const TOOLS = ['show', 'echo', 'bye', 'slow'].map((name) => ({
  name,
  inputSchema: { type: 'object' as const },
}));

function server(tag: string, failing: boolean): object {
  return {
    state: 'ready',
    client: null,
    tools: TOOLS,
    resources: [],
    callTool(name: string) {
      window.heard.push(`${tag} ${name}`);
      return name === 'slow' ? new Promise(() => undefined) : Promise.resolve({ content: [] });
    },
    readResource(uri: string) {
      window.heard.push(`${tag} read`);
      if (failing) return Promise.reject(new Error('<img src=x onerror="document.title=1">'));
      const item = window.documents[uri] as object;
      return Promise.resolve({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', ...item }] });
    },
  };
}

function callbacks(tag: string): Record<string, (...args: never[]) => unknown> {
  const hear = (text: string): void => void window.heard.push(text);
  return {
    onLifecycleChange: (status: string, error?: { code: string }) =>
      hear(error === undefined ? status : `${status} ${error.code}`),
    onReady: () => hear(`${tag} onReady`),
    onError: ({ code }: { code: string }) => hear(`${tag} onError ${code}`),
    onLog: ({ data }: { data: unknown }) => hear(`${tag} log ${String(data)}`),
    onCspViolation: ({ directive }: { directive: string }) => hear(`${tag} violation ${directive}`),
    onOpenLink: (url: string) => {
      hear(`${tag} link ${url}`);
      return true;
    },
    onMessage: () => {
      hear(`${tag} message`);
      return true;
    },
    onDisplayModeChange: (mode: string) => hear(`${tag} mode ${mode}`),
  };
}

function propsOf({
  tag = 'one',
  resourceUri = 'ui://probe/a',
  without = [],
  props = {},
  failing = false,
  makeSandboxUrl,
}: PageRender) {
  const all: Record<string, unknown> = {
    source: { server: server(tag, failing), tool: { ...TOOLS[0] }, resourceUri },
    viewId: 'v1',
    hostInfo: { name: 'Page', version: '1' },
    hostCapabilities: { experimental: {} },
    hostContext: { theme: 'light', styles: { variables: {} } },
    toolInput: { n: 1 },
    toolOutput: { content: [], structuredContent: { n: 2 } },
    ...callbacks(tag),
    ...props,
  };
  if (makeSandboxUrl !== undefined) {
    all['sandboxUrl'] = ({ uri }: { uri: string }) => {
      window.heard.push(`${tag} asks ${uri}`);
      return makeSandboxUrl + encodeURIComponent(uri);
    };
  }
  for (const name of without) delete all[name];
  return all as unknown as ViewRendererProps;
}

function watchListeners(): void {
  window.listeners = 0;
  const add = window.addEventListener.bind(window);
  const remove = window.removeEventListener.bind(window);
  window.addEventListener = (...args: Parameters<typeof add>) => {
    if (args[0] === 'message') window.listeners += 1;
    add(...args);
  };
  window.removeEventListener = (...args: Parameters<typeof remove>) => {
    if (args[0] === 'message') window.listeners -= 1;
    remove(...args);
  };
}

window.documents = {};
window.heard = [];
window.methods = [];
window.violations = [];
addEventListener('message', ({ data }) => window.methods.push(String((data as { method?: unknown }).method)));
document.addEventListener('securitypolicyviolation', (event) =>
  window.violations.push(event.violatedDirective),
);
watchListeners();
const place = document.createElement('main');
document.body.append(place);
const root = createRoot(place);
window.show = (render) =>
  root.render(<StrictMode>{render === null ? null : <ViewRenderer {...propsOf(render)} />}</StrictMode>);
