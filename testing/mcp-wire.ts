import type { JSONRPCMessage, JSONRPCResponse, RequestId, Transport } from '@portico/rpc';
import { createMemoryTransportPair, isJSONRPCResponse } from '@portico/rpc';
import { checkModernAnswer } from './modern-error-codes.ts';

/** What a modern request says of its sender. */
export interface EnvelopeOptions {
  readonly version?: unknown;
  readonly capabilities?: unknown;
  readonly info?: unknown;
  readonly logLevel?: unknown;
}

const PREFIX = 'io.modelcontextprotocol/';

/** Params with a modern envelope; a member given as null is left out. */
export function modern(
  params: Readonly<Record<string, unknown>> = {},
  options: EnvelopeOptions = {},
): Record<string, unknown> {
  const {
    version = '2026-07-28',
    capabilities = {},
    info = { name: 'wire', version: '1' },
    logLevel = null,
  } = options;
  const keys = { protocolVersion: version, clientCapabilities: capabilities, clientInfo: info, logLevel };
  const meta = Object.entries(keys)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => [PREFIX + key, value] as const);
  return { ...params, _meta: { ...(params['_meta'] as object | undefined), ...Object.fromEntries(meta) } };
}

/** The client's end of a channel, spoken by hand. */
export interface Wire {
  /** Everything the server sent. */
  readonly received: readonly JSONRPCMessage[];
  send(message: JSONRPCMessage): Promise<void>;
  /** Sends a request under a new id and waits for its answer. */
  request(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    id?: RequestId,
  ): Promise<JSONRPCResponse>;
  /** The result of a request; fails the test when it is an error. */
  result(method: string, params?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  /** The error of a request; fails the test when there is none. */
  error(
    method: string,
    params?: Readonly<Record<string, unknown>>,
  ): Promise<{ code: number; message: string; data?: unknown }>;
  /** Shakes hands in the legacy way. */
  initialize(version?: string, capabilities?: object): Promise<Record<string, unknown>>;
  /** The first message, past or to come, that fits. */
  next(fits: (message: JSONRPCMessage) => boolean): Promise<JSONRPCMessage>;
  close(): Promise<void>;
}

/** Opens a channel to whatever `connect` puts on its other end. */
export async function openWire(connect: (transport: Transport) => Promise<unknown>): Promise<Wire> {
  const [ours, theirs] = createMemoryTransportPair();
  const received: JSONRPCMessage[] = [];
  const waiting = new Set<() => void>();
  ours.onmessage = (message) => {
    received.push(message);
    for (const look of waiting) look();
  };
  await connect(theirs);
  await ours.start();
  let nextId = 1;
  const next: Wire['next'] = (fits) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = received.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const wire: Wire = {
    received,
    send: (message) => ours.send(message),
    async request(method, params, id = `wire-${String(nextId++)}`) {
      const answer = next((message) => isJSONRPCResponse(message) && message.id === id);
      await ours.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
      checkModernAnswer({ params }, [await answer]);
      return (await answer) as JSONRPCResponse;
    },
    async result(method, params) {
      const answer = await wire.request(method, params);
      if ('error' in answer) throw new TypeError(`${method} failed: ${answer.error.message}`);
      return answer.result as Record<string, unknown>;
    },
    async error(method, params) {
      const answer = await wire.request(method, params);
      if (!('error' in answer)) throw new TypeError(`${method} succeeded`);
      return answer.error;
    },
    async initialize(protocolVersion = '2025-11-25', capabilities = {}) {
      const clientInfo = { name: 'wire', version: '1' };
      const result = await wire.result('initialize', { protocolVersion, capabilities, clientInfo });
      await ours.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return result;
    },
    next,
    close: () => ours.close(),
  };
  return wire;
}
