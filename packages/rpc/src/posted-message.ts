import { RpcError } from './errors.ts';
import type { ReceiveLimits } from './limits.ts';
import type { JSONRPCMessage } from './message.ts';
import { utf8Length } from './parse-message.ts';

/** Rough cost in bytes of a value that is no text: a number, a flag, a bracket pair. */
const SCALAR_BYTES = 4;

/** Counts a posted value against the limits without turning it into text. */
class Budget {
  readonly #limits: ReceiveLimits;
  #leftBytes: number;

  constructor(limits: ReceiveLimits) {
    this.#limits = limits;
    this.#leftBytes = limits.maxMessageBytes;
  }

  /** Also ends on cyclic values, whose depth has no end. */
  spend(value: unknown, levels: number): void {
    switch (typeof value) {
      case 'string':
        this.#take(value.length > this.#leftBytes ? value.length : utf8Length(value));
        return;
      case 'number':
      case 'boolean':
      case 'undefined':
        this.#take(SCALAR_BYTES);
        return;
      case 'object':
        this.#take(SCALAR_BYTES);
        if (value !== null) this.#spendObject(value, levels);
        return;
      case 'bigint':
      case 'symbol':
      case 'function':
        throw new RpcError('invalid_message', {});
    }
  }

  #spendObject(value: object, levels: number): void {
    if (levels <= 0) throw new RpcError('too_deep', { limit: this.#limits.maxDepth });
    if (Array.isArray(value)) {
      for (const item of value) this.spend(item, levels - 1);
      return;
    }
    if (!isPlain(value)) throw new RpcError('invalid_message', {});
    for (const key in value) {
      this.#take(utf8Length(key));
      this.spend((value as Record<string, unknown>)[key], levels - 1);
    }
  }

  #take(bytes: number): void {
    this.#leftBytes -= bytes;
    if (this.#leftBytes >= 0) return;
    throw new RpcError('message_too_large', { limitBytes: this.#limits.maxMessageBytes });
  }
}

/** Structured clones may hold maps, dates and buffers, which JSON has not. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** True for a value that means to be JSON-RPC; pages post all sorts of other things. */
function meansJsonRpc(value: unknown): value is JSONRPCMessage {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value;
}

/**
 * Checks a posted value against the receive limits. Whether it has one of the four message forms
 * is left to the peer, which answers a malformed request that has a readable id.
 *
 * @throws RpcError `message_too_large`, `too_deep`, `invalid_message`
 */
export function readPostedMessage(value: unknown, limits: ReceiveLimits): JSONRPCMessage {
  new Budget(limits).spend(value, limits.maxDepth);
  if (!meansJsonRpc(value)) throw new RpcError('invalid_message', {});
  return value;
}
