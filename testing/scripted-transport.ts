import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from '@portico/rpc';

/** A transport whose far side is the test itself. */
export interface ScriptedTransport extends Transport {
  /** Everything sent, in order. */
  readonly sent: JSONRPCMessage[];
  /** Options of each sent message. */
  readonly sentOptions: (TransportSendOptions | undefined)[];
  /** Delivers anything at all, well formed or not. */
  receive(value: unknown, extra?: MessageExtraInfo): void;
  /** When set, every send rejects with it. */
  sendFailure: unknown;
}

/** Records what is sent and delivers what the test says. */
export function createScriptedTransport(): ScriptedTransport {
  const transport: ScriptedTransport = {
    sent: [],
    sentOptions: [],
    sendFailure: undefined,
    start: () => Promise.resolve(),
    send(message, options) {
      if (transport.sendFailure !== undefined) return Promise.reject(transport.sendFailure as Error);
      transport.sent.push(message);
      transport.sentOptions.push(options);
      return Promise.resolve();
    },
    close() {
      transport.onclose?.();
      return Promise.resolve();
    },
    receive(value, extra) {
      transport.onmessage?.(value as JSONRPCMessage, extra);
    },
  };
  return transport;
}
