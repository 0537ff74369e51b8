import type { Clock } from '@portico/rpc';
import type { FetchLike } from '@portico/spec';
import { iconAddresses } from './icon-address.ts';

const FETCH_MS = 5_000;
const MAX_BYTES = 262_144;
/** Bytes that are made into text at a time. */
const CHUNK_BYTES = 8_192;

/** What a {@link ServerIcon} needs. */
export interface ServerIconOptions {
  readonly fetch: FetchLike;
  readonly clock: Clock;
  /** Makes the icon visible, before anybody who waits for it hears of it. Must not throw. */
  readonly publish: (icon: string) => void;
}

/** The icon of one entry. */
export interface ServerIcon {
  /** A connection was opened: an icon that the server names is fetched, once, beside everything else. */
  opened(serverUrl: string, icons: unknown): void;
  /** The connection is over: what is under way is given up. */
  closed(): void;
  /**
   * The icon as a base64 `data:` URL once it is visible; null where there is none. Looks for that of the
   * server's host, too. Never rejects.
   */
  ensure(): Promise<string | null>;
}

/** The whole body, unless it is longer than an icon may be. */
async function readBody({ body }: Response): Promise<Uint8Array | undefined> {
  if (body === null) return undefined;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > MAX_BYTES) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return length === 0 ? undefined : bytes;
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  }
  return btoa(binary);
}

const IMAGE_TYPE = /^image\/[\w.+-]+$/;

/** @throws whatever fetching throws */
async function fetchIcon(fetch: FetchLike, url: URL, signal: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(url.href, {
    signal,
    credentials: 'omit',
    // Another place could be anybody's.
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  });
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!answer.ok || !IMAGE_TYPE.test(type)) {
    await answer.body?.cancel();
    return undefined;
  }
  const bytes = await readBody(answer);
  return bytes === undefined ? undefined : `data:${type};base64,${toBase64(bytes)}`;
}

/** The first icon that can be had. */
async function findIcon(
  { fetch, clock }: ServerIconOptions,
  addresses: readonly URL[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const url of addresses) {
    if (signal.aborted) return undefined;
    const trying = new AbortController();
    const abort = (): void => trying.abort();
    signal.addEventListener('abort', abort, { once: true });
    const timer = clock.setTimer(FETCH_MS, abort);
    try {
      const icon = await unlessAborted(fetchIcon(fetch, url, trying.signal), trying.signal);
      if (icon !== undefined) return icon;
    } catch {
      // An icon is missed by nobody; there may be another.
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', abort);
    }
  }
  return undefined;
}

/** Goes on at the abort, even when what is waited for does not listen to it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** Source: R119–R121. */
export function createServerIcon(options: ServerIconOptions): ServerIcon {
  let current: { readonly controller: AbortController; icon(): Promise<string | null> } | undefined;
  const closed = (): void => {
    current?.controller.abort();
    current = undefined;
  };
  const find = async (serverUrl: string, icons: unknown, signal: AbortSignal): Promise<string | null> => {
    const icon = await findIcon(options, iconAddresses(serverUrl, icons), signal);
    if (icon === undefined || signal.aborted) return null;
    options.publish(icon);
    return icon;
  };
  return {
    opened(serverUrl, icons) {
      closed();
      const controller = new AbortController();
      let found: Promise<string | null> | undefined;
      const icon = (): Promise<string | null> => (found ??= find(serverUrl, icons, controller.signal));
      current = { controller, icon };
      // A guess that comes to nothing stands in the console of the page: it is made for who asks only.
      if (Array.isArray(icons) && icons.length > 0) void icon();
    },
    closed,
    ensure: async () => (await current?.icon()) ?? null,
  };
}
