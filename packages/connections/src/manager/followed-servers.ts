import { sameValue } from '../same-value.ts';
import { changesBetween } from './config-change.ts';
import type { McpServerConfig, ServerCallbacks } from './server-config.ts';

/** The settings of a server, and who is told of it. */
export interface ServerOptions extends McpServerConfig, ServerCallbacks {}

/** What following takes of the manager. None of it throws for settings that cannot be used. */
export interface FollowingPort {
  has(id: string): boolean;
  add(id: string, config: McpServerConfig): void;
  /** Puts changes on the settings that are in force; undefined removes a member. */
  patch(id: string, changes: Partial<McpServerConfig>): void;
  replace(id: string, config: McpServerConfig): void;
  remove(id: string): void;
  setCallbacks(id: string, options: ServerOptions): void;
}

/**
 * Servers that an application declares again and again, in a fresh object each time: what differs from
 * the time before is carried out, and what is the same changes nothing that was done by other means.
 * Source: R127, R139, R140.
 */
export class FollowedServers {
  readonly #port: FollowingPort;
  readonly #declared = new Map<string, McpServerConfig>();

  constructor(port: FollowingPort) {
    this.#port = port;
  }

  /** Whether a server is there because it is declared. */
  has(id: string): boolean {
    return this.#declared.has(id);
  }

  follow(servers: Readonly<Record<string, ServerOptions>>): void {
    for (const id of Array.from(this.#declared.keys())) {
      if (Object.hasOwn(servers, id)) continue;
      this.#declared.delete(id);
      this.#port.remove(id);
    }
    for (const [id, options] of Object.entries(servers)) {
      this.#port.setCallbacks(id, options);
      this.#declare(id, splitOptions(options).config);
    }
  }

  #declare(id: string, config: McpServerConfig): void {
    const before = this.#declared.get(id);
    this.#declared.set(id, config);
    if (before !== undefined && sameValue(before, config)) return;
    if (!this.#port.has(id)) return this.#port.add(id, config);
    if (before === undefined) return this.#port.replace(id, config);
    this.#port.patch(id, changesBetween(before, config));
  }
}

/** Parts what is settings from what is told. */
export function splitOptions(options: ServerOptions): {
  readonly config: McpServerConfig;
  readonly callbacks: ServerCallbacks;
} {
  const { onNotification, onSampling, onElicitation, ...config } = options;
  const callbacks = {
    ...(onNotification === undefined ? {} : { onNotification }),
    ...(onSampling === undefined ? {} : { onSampling }),
    ...(onElicitation === undefined ? {} : { onElicitation }),
  };
  return { config, callbacks };
}
