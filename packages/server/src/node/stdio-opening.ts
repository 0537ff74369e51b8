import {
  type Clock,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type Timer,
  type Transport,
  isJSONRPCRequest,
} from '@portico/rpc';
import type { ServerConnection } from '@portico/server';
import { hasEnvelope } from '@portico/spec';
import { PipeChannel } from './stdio-pipe.ts';

type Era = 'legacy' | 'modern';

/** What deciding needs. */
export interface OpeningPort {
  readonly transport: Transport;
  readonly legacy: 'serve' | 'reject';
  readonly clock: Clock;
  /** Makes a server for clients of an era and connects it to its part of the pipe. */
  connect(era: Era, channel: Transport): Promise<ServerConnection>;
  readonly report: (error: Error) => void;
}

/** A server on the pipe. */
interface Connected {
  readonly channel: PipeChannel;
  readonly connection: ServerConnection;
}

/** What came, as it came. */
type Arrival = readonly [message: JSONRPCMessage, extra: MessageExtraInfo | undefined];

const PROBE = 'server/discover';

/** How long a server may take to answer the probe when the client goes on without waiting, milliseconds. */
const PROBE_MS = 3_000;

/**
 * Decides once per pipe which era its client speaks, and has one server made for it. The first message
 * decides, but for the question that finds out the era: that one is answered by a server for modern
 * clients, which stays when the next message is modern, too, and otherwise goes when it has answered.
 * Messages keep their order, however long making a server takes.
 */
export class StdioOpening {
  readonly #port: OpeningPort;
  readonly #waiting: Arrival[] = [];
  #deciding = false;
  /** A server that may still go. */
  #probed: Connected | undefined;
  #bound: Connected | undefined;
  #closed = false;

  constructor(port: OpeningPort) {
    this.#port = port;
    const { transport } = port;
    const { onclose } = transport;
    transport.onmessage = (message, extra) => void this.#receive([message, extra]);
    transport.onerror = (error) => {
      const listener = (this.#bound ?? this.#probed)?.channel.onerror ?? port.report;
      listener(error);
    };
    transport.onclose = () => {
      this.#closed = true;
      onclose?.();
      this.#probed?.channel.end();
      this.#bound?.channel.end();
    };
  }

  /** The server that is on the pipe now. */
  get connection(): ServerConnection | undefined {
    return (this.#bound ?? this.#probed)?.connection;
  }

  start(): Promise<void> {
    return this.#port.transport.start();
  }

  async #receive(arrival: Arrival): Promise<void> {
    this.#waiting.push(arrival);
    if (this.#deciding) return;
    this.#deciding = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        if (this.#bound === undefined) await this.#decide(next);
        else this.#bound.channel.onmessage?.(...next);
      }
    } catch (error) {
      // A pipe without a server is of no use to anybody.
      this.#port.report(error instanceof Error ? error : new TypeError(String(error)));
      await this.#port.transport.close();
    } finally {
      this.#deciding = false;
    }
    const { transport } = this.#port;
    const channel = this.#bound?.channel;
    if (channel !== undefined) transport.onmessage = (message, extra) => channel.onmessage?.(message, extra);
  }

  async #decide([message, extra]: Arrival): Promise<void> {
    const isRequest = isJSONRPCRequest(message);
    const modern = 'method' in message && hasEnvelope(message.params);
    const opens = isRequest && message.method !== PROBE;
    if (isRequest && !modern && this.#port.legacy === 'serve') {
      await this.#letGo();
      this.#bound = await this.#connect('legacy');
    } else if (isRequest || modern) {
      // Those who refuse legacy openings answer them as modern servers do, and wait for a modern one.
      this.#probed ??= await this.#connect('modern');
      if (modern && opens) this.#bound = this.#probed;
    }
    // What is no request and comes before any has nobody to hear it.
    (this.#bound ?? this.#probed)?.channel.deliver(message, extra);
  }

  /** The probe is answered first. */
  async #letGo(): Promise<void> {
    const probed = this.#probed;
    if (probed === undefined) return;
    await this.#answered(probed.channel);
    this.#probed = undefined;
    probed.channel.detach();
    await probed.connection.close();
  }

  async #answered(channel: PipeChannel): Promise<void> {
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => {
      timer = this.#port.clock.setTimer(PROBE_MS, resolve);
    });
    await Promise.race([channel.answered(), late]);
    timer?.cancel();
  }

  async #connect(era: Era): Promise<Connected> {
    const channel = new PipeChannel(this.#port.transport);
    const connection = await this.#port.connect(era, channel);
    if (this.#closed) channel.end();
    return { channel, connection };
  }
}
