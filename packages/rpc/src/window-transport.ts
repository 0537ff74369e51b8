import { RpcError } from './errors.ts';
import { type ReceiveLimits, receiveLimits } from './limits.ts';
import { type PostingSink, PostingTransport } from './posting-transport.ts';
import type { Transport } from './transport.ts';

/** A window to post to. */
export interface WindowTarget {
  postMessage(message: unknown, targetOrigin: string): void;
}

/** As much of a window's message event as is checked. */
export interface WindowMessageEvent {
  readonly type?: string;
  readonly data?: unknown;
  readonly origin?: string;
  readonly source?: unknown;
}

/** Where message events arrive: the own window. */
export interface WindowMessageSource {
  addEventListener(type: string, listener: (event: WindowMessageEvent) => void): void;
  removeEventListener(type: string, listener: (event: WindowMessageEvent) => void): void;
}

/** What {@link createWindowTransport} needs. */
export interface WindowTransportOptions {
  /** The other window. Only its own messages are taken. */
  target: WindowTarget;
  /** The own window. */
  listenOn: WindowMessageSource;
  /**
   * Exact origin of the other window, such as `https://a.example`. Messages from any other origin
   * are dropped, and messages are posted to this one only. `'opaque'`, for a sandboxed document
   * without an origin of its own, posts to any document that the window then holds.
   */
  origin: string;
  /** Overrides of the default receive limits. */
  limits?: Partial<ReceiveLimits>;
  /** Told of each dropped message whose sender is not the peer. Must not throw. */
  onForeignMessage?: (event: WindowMessageEvent) => void;
}

/** What a document without an origin has in `event.origin`. */
const OPAQUE_EVENT_ORIGIN = 'null';

/** Event origin to compare with, and target origin to post to. */
interface Origins {
  expected: string;
  target: string;
}

function originsOf(origin: string): Origins {
  // An opaque origin cannot be addressed; any target is the only way to reach it.
  if (origin === 'opaque') return { expected: OPAQUE_EVENT_ORIGIN, target: '*' };
  let serialized: string | undefined;
  try {
    serialized = new URL(origin).origin;
  } catch {
    serialized = undefined;
  }
  if (serialized !== origin || origin === OPAQUE_EVENT_ORIGIN) {
    const message = `Not an exact origin: ${origin}`;
    throw new RpcError('invalid_option', { option: 'origin' }, { message });
  }
  return { expected: origin, target: origin };
}

/**
 * A channel between two windows. Takes a message only when both its source and its origin are the
 * peer's, and posts to a concrete origin.
 *
 * @throws RpcError `invalid_option` when `origin` is neither an exact origin nor `opaque`
 */
export function createWindowTransport(options: WindowTransportOptions): Transport {
  const { target, listenOn, onForeignMessage } = options;
  const origins = originsOf(options.origin);

  function listen(sink: PostingSink): () => void {
    const isPeer = (event: WindowMessageEvent): boolean =>
      event.source === target && event.origin === origins.expected;
    const onMessage = (event: WindowMessageEvent): void => {
      if (isPeer(event)) sink.receive(event.data);
      else onForeignMessage?.(event);
    };
    const onError = (event: WindowMessageEvent): void => {
      if (isPeer(event)) sink.undecodable();
    };
    listenOn.addEventListener('message', onMessage);
    listenOn.addEventListener('messageerror', onError);
    return () => {
      listenOn.removeEventListener('message', onMessage);
      listenOn.removeEventListener('messageerror', onError);
    };
  }

  return new PostingTransport(
    { listen, post: (message) => target.postMessage(message, origins.target) },
    receiveLimits(options.limits),
  );
}
