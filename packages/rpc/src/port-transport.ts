import { type ReceiveLimits, receiveLimits } from './limits.ts';
import { type PostingSink, PostingTransport } from './posting-transport.ts';
import type { Transport } from './transport.ts';

/** As much of a port's event as is used here. */
export interface PortEvent {
  readonly type?: string;
  readonly data?: unknown;
}

/** As much of a MessagePort as is used here. */
export interface PortLike {
  postMessage(message: unknown): void;
  addEventListener(type: string, listener: (event: PortEvent) => void): void;
  removeEventListener(type: string, listener: (event: PortEvent) => void): void;
  start(): void;
  close(): void;
}

/** What {@link createPortTransport} takes beside the port. */
export interface PortTransportOptions {
  /** Overrides of the default receive limits. */
  limits?: Partial<ReceiveLimits>;
}

function listenTo(port: PortLike, sink: PostingSink): () => void {
  const onMessage = (event: PortEvent): void => sink.receive(event.data);
  const onError = (): void => sink.undecodable();
  const onClose = (): void => sink.ended();
  port.addEventListener('message', onMessage);
  port.addEventListener('messageerror', onError);
  port.addEventListener('close', onClose);
  port.start();
  return () => {
    port.removeEventListener('message', onMessage);
    port.removeEventListener('messageerror', onError);
    port.removeEventListener('close', onClose);
    port.close();
  };
}

/**
 * A channel over one end of a MessageChannel. Whoever holds the other end is the peer: hand the
 * port only to whom you mean. Closing closes the port.
 */
export function createPortTransport(port: PortLike, options: PortTransportOptions = {}): Transport {
  return new PostingTransport(
    {
      listen: (sink) => listenTo(port, sink),
      post: (message) => port.postMessage(message),
    },
    receiveLimits(options.limits),
  );
}
