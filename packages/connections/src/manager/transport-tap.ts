import type { JSONRPCMessage, Transport } from '@portico/rpc';

/** Hears what goes over a transport, without a say in it. Must not throw. */
export interface TransportTap {
  sent(message: JSONRPCMessage): void;
  received(message: JSONRPCMessage): void;
}

/**
 * Lets somebody hear every message of a transport once. The transport stays the object it was, since
 * clients look at more of it than the interface says.
 */
export function tapTransport<T extends Transport>(transport: T, tap: TransportTap): T {
  const send = transport.send.bind(transport);
  let listener: Transport['onmessage'];
  const heard: NonNullable<Transport['onmessage']> = (message, extra) => {
    tap.received(message);
    listener?.(message, extra);
  };
  transport.send = (message, options) => {
    tap.sent(message);
    return send(message, options);
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => (listener === undefined ? undefined : heard),
    set(next: Transport['onmessage']) {
      listener = next;
    },
  });
  return transport;
}
