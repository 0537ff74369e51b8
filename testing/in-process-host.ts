import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiErrorSchema, bootstrapSchema, conversationDetailSchema } from '@portico/api';
import type {
  Bootstrap,
  Connector,
  ConnectorStatus,
  Conversation,
  ConversationDetail,
  HostEvent,
  Item,
} from '@portico/api';
import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import { createHost } from '../packages/host/src/create-host.ts';
import type { Host, ModelOptions } from '../packages/host/src/host-options.ts';
import type { KeyHolder, KeyRing } from '../packages/host/src/ports/secrets.ts';
import type { Stores } from '../packages/host/src/ports/stores.ts';
import { createSecretBox } from '../packages/host/src/secrets/secret-box.ts';
import { createBrowserSessions } from '../packages/host/src/sessions/browser-sessions.ts';
import { createLaunchLinks } from '../packages/host/src/sessions/launch-links.ts';
import { openSqliteStores } from '../packages/host/src/store/sqlite-stores.ts';
import { http, openHttp } from './http.ts';
import type { HttpAnswer, HttpOptions } from './http.ts';
import { createQuietLog } from './quiet-log.ts';
import type { QuietLog } from './quiet-log.ts';

/** A real host on real stores in a folder of its own, in the process of the test. */
export interface InProcessHost {
  readonly host: Host;
  readonly log: QuietLog;
  readonly stores: Stores;
  readonly origin: string;
  /** `Cookie` header of a browser with a session. */
  readonly cookie: string;
  /** Every answer so far, for scans. */
  readonly answers: readonly string[];
  request(method: string, path: string, body?: unknown, options?: HttpOptions): Promise<HttpAnswer>;
  /** The same, where success is expected; rejects with code and message otherwise. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  bootstrap(): Promise<Bootstrap>;
  conversation(id: string): Promise<ConversationDetail>;
  newConversation(): Promise<Conversation>;
  /** Follows the stream until an event (old ones included) fits, and answers it. */
  until<T extends HostEvent>(fits: (event: HostEvent) => event is T): Promise<T>;
  untilConnector(id: string, ...statuses: ConnectorStatus[]): Promise<Connector>;
  untilItem(conversationId: string, fits: (item: Item) => boolean): Promise<Item>;
  /** Ends as a process that is killed: nothing more is written, the data stays. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface InProcessOptions {
  readonly model?: ModelOptions;
  /** Where the data is; a folder of an earlier host continues it. */
  readonly folder?: string;
  /** Keys of stored secrets; one of its own unless given. */
  readonly keys?: KeyHolder;
  readonly clock?: Clock;
  readonly clientMetadataUrl?: string;
}

/** Removes nothing by itself when `folder` was given. */
export async function startInProcessHost(options: InProcessOptions = {}): Promise<InProcessHost> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'portico-host-'));
  writeStandIns(folder);
  const clock = options.clock ?? systemClock;
  const log = createQuietLog();
  const stores = await openSqliteStores({ path: join(folder, 'portico.db'), clock });
  const launchLinks = createLaunchLinks(clock);
  const keys = options.keys ?? memoryKeys();
  const host = await createHost({
    stores,
    keys,
    secrets: createSecretBox(keys.ring),
    clock,
    sessions: createBrowserSessions({ store: stores.sessions, clock }),
    launchLinks,
    consoleFolder: join(folder, 'console'),
    proxyBundleFile: join(folder, 'proxy.js'),
    kernelBundleFile: join(folder, 'kernel.js'),
    listen: { port: 0 },
    model: options.model,
    clientMetadataUrl: options.clientMetadataUrl,
    version: '0.0.0-test',
    log,
  });
  const launch = await http(host.launchLink());
  const cookie = launch.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return {
    host,
    log,
    stores,
    cookie,
    ...clientOf(host, cookie),
    ...endings(host, stores, options.folder === undefined ? folder : undefined),
  };
}

/** Keys that are kept nowhere; a host that finds the ones of an earlier host is given its holder. */
export function memoryKeys(current: Uint8Array = randomBytes(32)): KeyHolder {
  let ring: KeyRing = { current, previous: [] };
  const keep = (next: KeyRing): Promise<KeyRing> => Promise.resolve((ring = next));
  return {
    get ring() {
      return ring;
    },
    add: () => keep({ current: randomBytes(32), previous: [ring.current, ...ring.previous] }),
    dropPrevious: () => keep({ current: ring.current, previous: [] }),
  };
}

/** Small files in place of the built ones, which tests of sources must not load. */
function writeStandIns(folder: string): void {
  mkdirSync(join(folder, 'console/assets'), { recursive: true });
  writeFileSync(join(folder, 'console/index.html'), '<!doctype html><title>Console</title>');
  writeFileSync(join(folder, 'console/assets/app-abc123.js'), 'export {};');
  writeFileSync(join(folder, 'proxy.js'), 'void "proxy";');
  writeFileSync(join(folder, 'kernel.js'), 'void "kernel";');
}

/** @param ownFolder removed at the end */
function endings(host: Host, stores: Stores, ownFolder: string | undefined) {
  const close = async (): Promise<void> => {
    await host.close();
    await stores.close();
    if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true, force: true });
  };
  return {
    close,
    kill: async (): Promise<void> => {
      await stores.close();
      await host.close();
    },
  };
}

function clientOf(host: Host, cookie: string) {
  const { origin } = host;
  const answers: string[] = [];
  // oxlint-disable-next-line max-params -- reads like the request it sends
  const request: InProcessHost['request'] = async (method, path, body, options = {}) => {
    const answer = await http(origin + path, {
      method,
      ...options,
      headers: {
        cookie,
        ...(method === 'GET' ? {} : { origin, 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    answers.push(JSON.stringify(answer.headers) + answer.text);
    return answer;
  };
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await request(method, path, body);
    if (answer.status >= 400) {
      const { code, message } = apiErrorSchema.parse(answer.json()).error;
      throw Object.assign(new Error(`${method} ${path}: ${message}`), { code });
    }
    return (answer.status === 204 ? undefined : answer.json()) as T;
  };
  const until = async <T extends HostEvent>(fits: (event: HostEvent) => event is T): Promise<T> => {
    const stream = await openHttp(`${origin}/api/events?after=0`, { headers: { cookie } });
    let text = '';
    for await (const chunk of stream) {
      text += (chunk as Buffer).toString('utf8');
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        const event = data === undefined ? undefined : (JSON.parse(data) as HostEvent);
        if (event === undefined || !fits(event)) continue;
        stream.destroy();
        return event;
      }
    }
    throw new Error('the stream ended before such an event');
  };
  const bootstrap = async (): Promise<Bootstrap> =>
    bootstrapSchema.parse(await call('GET', '/api/bootstrap'));
  return {
    origin,
    answers,
    request,
    call,
    until,
    bootstrap,
    conversation: async (id: string) =>
      conversationDetailSchema.parse(await call('GET', `/api/conversations/${id}`)),
    newConversation: () => call<Conversation>('POST', '/api/conversations', {}),
    untilConnector: async (id: string, ...statuses: ConnectorStatus[]) =>
      await currentOr(
        async () =>
          (await bootstrap()).connectors.find(
            (connector) => connector.id === id && statuses.includes(connector.status),
          ),
        async () => {
          const event = await until(
            (candidate): candidate is Extract<HostEvent, { type: 'connector.changed' }> =>
              candidate.type === 'connector.changed' &&
              candidate.connector.id === id &&
              statuses.includes(candidate.connector.status),
          );
          return event.connector;
        },
      ),
    untilItem: async (conversationId: string, fits: (item: Item) => boolean) => {
      const event = await until(
        (candidate): candidate is Extract<HostEvent, { type: 'item.changed' }> =>
          candidate.type === 'item.changed' &&
          candidate.conversationId === conversationId &&
          fits(candidate.item),
      );
      return event.item;
    },
  };
}

async function currentOr<T>(now: () => Promise<T | undefined>, later: () => Promise<T>): Promise<T> {
  return (await now()) ?? (await later());
}
