import type { HostEvent, Item } from '@portico/api';
import type { FetchLike } from '@portico/spec';
import { createMemoryHistory } from '@tanstack/react-router';
import { act, cleanup, render } from '@testing-library/react';
import type { i18n as I18n } from 'i18next';
import { createElement } from 'react';
import type { ApiClient } from '../packages/console/src/api/client.ts';
import { ConsoleApp } from '../packages/console/src/console-app.tsx';
import { ConsoleError } from '../packages/console/src/errors.ts';
import { createI18n } from '../packages/console/src/i18n/create-i18n.ts';
import { createConsoleRouter } from '../packages/console/src/router.tsx';
import { createAnnouncer } from '../packages/console/src/state/announcer.ts';
import type { ConsoleServices } from '../packages/console/src/state/console-context.tsx';
import { createDrafts } from '../packages/console/src/state/drafts.ts';
import { createHostStore } from '../packages/console/src/state/host-store.ts';
import { createIsolation } from '../packages/console/src/state/isolation.ts';
import { createPreferences } from '../packages/console/src/state/preferences.ts';
import { createPrompts } from '../packages/console/src/state/prompts.ts';
import { createToolLists } from '../packages/console/src/state/tool-lists.ts';
import { createViewFacts } from '../packages/console/src/state/view-facts.ts';
import { createConnectorServers } from './connector-servers.ts';
import type { ConnectorServers, ServerBuilder } from './connector-servers.ts';
import { ARTIFACTS, BOOTSTRAP, CONNECTORS, CONVERSATIONS, ITEMS, TOOLS } from './console-double-data.ts';
import { createManualClock } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';
import { createScriptedBrowser } from './scripted-environment.ts';

type Calls = { readonly [Name in keyof ApiClient]?: ApiClient[Name] };

export interface RenderOptions {
  readonly address: string;
  /** Answers of the API; what is not given answers from canned data or with `not_found`. */
  readonly api?: Calls;
  readonly model?: string;
  readonly items?: Readonly<Record<string, readonly Item[]>>;
  readonly i18n?: I18n;
  /** MCP servers behind connectors; those of the canned data unless given. */
  readonly servers?: Readonly<Record<string, ServerBuilder>>;
  /** Answers a request to a connector's endpoint in place of its server, or leaves it to it. May throw. */
  readonly onMcp?: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

const ORIGIN = 'http://portico.test';

export interface RenderedConsole {
  readonly services: ConsoleServices;
  readonly clock: ManualClock;
  readonly servers: ConnectorServers;
  /** Every call of the API by name, in order. */
  readonly calls: readonly { readonly name: string; readonly args: readonly unknown[] }[];
  /** Arguments of the calls of one name. */
  callsOf(name: keyof ApiClient): readonly (readonly unknown[])[];
  emit(event: HostEvent): Promise<void>;
  /** Lets the page come to rest, and moves its clock on. */
  settle(ms?: number): Promise<void>;
  /** Cuts the stream of events. */
  cutStream(): Promise<void>;
  address(): string;
}

/** The whole console in a document without a browser, over canned answers and a clock moved by hand. */
export async function renderConsole(options: RenderOptions): Promise<RenderedConsole> {
  cleanup();
  const clock = createManualClock();
  const calls: { name: string; args: readonly unknown[] }[] = [];
  const api = createFakeApi(options, calls);
  const stream = createFakeStream();
  const host = createHostStore({
    api,
    clock,
    fetch: stream.fetch,
    eventsUrl: '/api/events',
    random: () => 0.5,
  });
  const servers = createConnectorServers(options.servers);
  const browser = createScriptedBrowser({ clock, fetch: fetchOf(servers, options) });
  const storage = createMemoryStorage();
  let nextId = 1;
  const services: ConsoleServices = {
    api,
    host,
    clock,
    mcp: { origin: ORIGIN, environment: browser.openTab(ORIGIN).environment },
    tools: createToolLists(api),
    preferences: createPreferences(storage, ['en']),
    drafts: createDrafts(storage),
    announcer: createAnnouncer(),
    prompts: createPrompts(),
    viewFacts: createViewFacts(),
    isolation: createIsolation({ fetch: stream.fetch, clock, store: host.store }),
    newId: () => `id-${nextId++}`,
  };
  const history = createMemoryHistory({ initialEntries: [options.address] });
  const router = createConsoleRouter({ history });
  const settle = async (ms = 0): Promise<void> => await act(async () => await clock.advance(ms));
  await act(async () => {
    render(createElement(ConsoleApp, { services, router, i18n: options.i18n ?? createI18n('en') }));
    await host.start();
    await router.load();
  });
  await settle();
  let seq = BOOTSTRAP.seq;
  return {
    services,
    clock,
    servers,
    calls,
    settle,
    callsOf: (name) => calls.filter((call) => call.name === name).map(({ args }) => args),
    emit: async (event) => {
      stream.send(`id: ${++seq}\ndata: ${JSON.stringify(event)}\n\n`);
      await settle();
    },
    cutStream: async () => {
      stream.cut();
      await settle();
    },
    address: () => history.location.href,
  };
}

function fetchOf(servers: ConnectorServers, { onMcp }: RenderOptions): FetchLike {
  return async (target, init) => {
    const request = new Request(target, init);
    const answer = (await onMcp?.(request.clone())) ?? (await servers.answer(request));
    return answer ?? new Response(null, { status: 404 });
  };
}

function createFakeApi(
  options: RenderOptions,
  calls: { name: string; args: readonly unknown[] }[],
): ApiClient {
  const items = options.items ?? ITEMS;
  const canned: Calls = {
    bootstrap: async () => ({
      ...BOOTSTRAP,
      ...(options.model === undefined ? {} : { model: { configured: true, model: options.model } }),
      connectors: [...CONNECTORS],
      conversations: [...CONVERSATIONS],
      artifacts: [...ARTIFACTS],
    }),
    tools: async (id) => TOOLS[id] ?? [],
    conversation: async (id) => {
      const conversation = CONVERSATIONS.find((known) => known.id === id);
      if (conversation === undefined) throw new ConsoleError('not_found', { status: 404 });
      return { conversation, items: [...(items[id] ?? [])], seq: BOOTSTRAP.seq };
    },
  };
  const known = { ...canned, ...options.api } as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >;
  return new Proxy({} as ApiClient, {
    get:
      (_target, name) =>
      async (...args: unknown[]) => {
        calls.push({ name: String(name), args });
        const answer = known[String(name)];
        if (answer === undefined)
          throw new ConsoleError('not_found', { status: 404, message: `nothing answers ${String(name)}` });
        return await answer(...args);
      },
  });
}

function createFakeStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  return {
    fetch: async (): Promise<Response> =>
      new Response(new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) }), {
        status: 200,
      }),
    send: (text: string): void => controller?.enqueue(new TextEncoder().encode(text)),
    cut: (): void => controller?.error(new Error('cut')),
  };
}

function createMemoryStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string): string | null => values.get(key) ?? null,
    setItem: (key: string, value: string): void => void values.set(key, value),
    removeItem: (key: string): void => void values.delete(key),
  };
}
