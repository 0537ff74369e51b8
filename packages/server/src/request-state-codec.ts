import { type Clock, systemClock } from '@portico/rpc';
import { isRecord } from '@portico/spec';
import type { ServerContext } from './context.ts';

export interface RequestStateCodecOptions {
  /** The secret, at least 32 bytes. Every server that may be handed the state back needs the same. */
  readonly key: Uint8Array | string;
  /** Seconds that sealed state is good for. Default 600. */
  readonly ttlSeconds?: number;
  /**
   * What the state is tied to: the principal, the method, the params, or all of them. State sealed
   * under one text is refused under another. Only a keyed digest of it travels.
   */
  readonly bind?: (context: ServerContext) => string;
  readonly clock?: Clock;
}

/** Seals and opens request state. */
export interface RequestStateCodec<State = unknown> {
  /**
   * Text for `inputRequired({ requestState })`. With `bind`, the context is needed.
   * @throws TypeError without the context it needs
   */
  readonly mint: (state: State, context?: ServerContext) => Promise<string>;
  /**
   * The state of a text that `mint` made, to be given to the server as `requestState.verify`.
   * @throws RangeError saying only `malformed`, `mac`, `expired` or `bind`
   */
  readonly verify: (text: string, context: ServerContext) => Promise<State>;
}

const PREFIX = 'v1';
const MIN_KEY_BYTES = 32;
const DEFAULT_TTL_SECONDS = 600;
const BIND_DOMAIN = 'mcp.requestState.bind:';
const BIND_BYTES = 16;
/** Characters of state that are looked at; clients may send anything. */
const MAX_LENGTH = 1_048_576;

/**
 * Protects request state with HMAC-SHA256: whatever a client alters, keeps too long or takes to
 * another request is refused. The contents are signed, not encrypted: the client can read them.
 *
 * @throws RangeError for a key under 32 bytes and a life without end
 */
export function createRequestStateCodec<State = unknown>(
  options: RequestStateCodecOptions,
): RequestStateCodec<State> {
  const { ttlSeconds = DEFAULT_TTL_SECONDS, bind, clock = systemClock } = options;
  // A copy: callers may well wipe their own bytes.
  const secret =
    typeof options.key === 'string' ? new TextEncoder().encode(options.key) : Uint8Array.from(options.key);
  if (secret.byteLength < MIN_KEY_BYTES) {
    throw new RangeError(`A key for request state has at least ${String(MIN_KEY_BYTES)} bytes.`);
  }
  if (!Number.isFinite(ttlSeconds)) throw new RangeError('The life of request state is finite.');
  let imported: Promise<CryptoKey> | undefined;
  const key = (): Promise<CryptoKey> =>
    (imported ??= crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ]));
  const tagOf = async (context: ServerContext | undefined): Promise<string | undefined> => {
    if (bind === undefined) return undefined;
    if (context === undefined) throw new TypeError('State that is bound needs the context of the request.');
    const bytes = new TextEncoder().encode(BIND_DOMAIN + bind(context));
    const mac = new Uint8Array(await crypto.subtle.sign('HMAC', await key(), bytes));
    return toBase64Url(mac.subarray(0, BIND_BYTES));
  };
  return {
    async mint(state, context) {
      const tag = await tagOf(context);
      const expires = Math.floor(clock.now() / 1000) + ttlSeconds;
      const body = { p: state, exp: expires, ...(tag === undefined ? {} : { b: tag }) };
      const text = `${PREFIX}.${toBase64Url(new TextEncoder().encode(JSON.stringify(body)))}`;
      const mac = await crypto.subtle.sign('HMAC', await key(), new TextEncoder().encode(text));
      return `${text}.${toBase64Url(new Uint8Array(mac))}`;
    },
    async verify(text, context) {
      const [prefix, body = '', seal = '', ...rest] = text.length > MAX_LENGTH ? [] : text.split('.');
      const mac = fromBase64Url(seal);
      if (prefix !== PREFIX || body === '' || rest.length > 0 || mac === undefined)
        throw refused('malformed');
      const signed = new TextEncoder().encode(`${prefix}.${body}`);
      if (!(await crypto.subtle.verify('HMAC', await key(), mac, signed))) throw refused('mac');
      const envelope = readEnvelope(body);
      if (clock.now() >= envelope.exp * 1000) throw refused('expired');
      const tag = await tagOf(context);
      // Also where nothing is tied any more: what was tied must not become anybody's.
      if (!isSameText(tag ?? '', envelope.b ?? '')) throw refused('bind');
      return envelope.p as State;
    },
  };
}

function readEnvelope(body: string): { readonly p: unknown; readonly exp: number; readonly b?: string } {
  const bytes = fromBase64Url(body);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isRecord(value) && typeof value['exp'] === 'number') {
      const { p, exp, b } = value;
      return typeof b === 'string' ? { p, exp, b } : { p, exp };
    }
  } catch {
    // Signed by this key and yet no envelope: another program's use of the key.
  }
  throw refused('malformed');
}

/** Takes as long for texts that differ early as for those that differ late. */
function isSameText(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index++) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index % Math.max(right.length, 1));
  }
  return difference === 0;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Only the one spelling that `toBase64Url` gives, so that no altered text means the same. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return toBase64Url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function refused(reason: 'malformed' | 'mac' | 'expired' | 'bind'): RangeError {
  return new RangeError(reason);
}
