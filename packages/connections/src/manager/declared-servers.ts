import { sameValue } from '../same-value.ts';
import { changesBetween } from './config-change.ts';
import type { ServerDefaults } from './resolve-config.ts';
import type { McpServerConfig, ServerCallbacks } from './server-config.ts';

/** The settings of a server, and who is told of it. */
export interface ServerOptions extends McpServerConfig, ServerCallbacks {}

/**
 * Servers that one part of an application declares again and again, in a fresh object each time: what
 * differs from the time before is carried out, and what is the same changes nothing that was done by other
 * means. Each part owns what it declares. Source: R127, R139, R140.
 */
export interface Declaration {
  /**
   * Carries out what differs from the last time this was said: servers that came, went or have other
   * settings. Settings that cannot be used make a server `failed` with `invalid_config`. Of two parts that
   * declare one server, or say defaults, the first counts, and the second follows when that one is gone;
   * that they differ is told as a mistake.
   *
   * @param defaults fill in what all servers leave out, while they are said; only those whom a change
   *   concerns are connected anew
   */
  follow(servers: Readonly<Record<string, ServerOptions>>, defaults?: ServerDefaults): void;
  /** Replaces who is told of the servers declared; nothing else of the options counts. */
  setCallbacks(servers: Readonly<Record<string, ServerOptions>>): void;
  /** Within the next task, all that is declared here goes, but for what others declare, unless it is followed again. */
  release(): void;
}

/** What declaring takes of the manager. None of it throws for settings that cannot be used. */
export interface DeclaringPort {
  has(id: string): boolean;
  add(id: string, config: McpServerConfig): void;
  /** Puts changes on the settings that are in force; undefined removes a member. */
  patch(id: string, changes: Partial<McpServerConfig>): void;
  replace(id: string, config: McpServerConfig): void;
  remove(id: string): void;
  setCallbacks(id: string, callbacks: ServerCallbacks): void;
  /** From now on these, or for undefined those of the manager, count. @returns carries out what that changes */
  setDefaults(defaults: ServerDefaults | undefined): () => void;
  /** Two parts of the application disagree about a server, or about the defaults. */
  disagree(id: string | undefined): void;
  /** Runs in the next task; @returns how to prevent that */
  later(run: () => void): () => void;
}

interface SplitOptions {
  readonly config: McpServerConfig;
  readonly callbacks: ServerCallbacks;
}

/** What one part of the application says. */
interface Part {
  readonly servers: Map<string, SplitOptions>;
  defaults: ServerDefaults | undefined;
  /** What it disagrees about with those before it, as far as that was told. */
  readonly told: Set<string | undefined>;
}

/** All that is declared for one manager. */
export class DeclaredServers {
  readonly #port: DeclaringPort;
  /** Those who say something, in the order in which they began. */
  readonly #parts = new Set<Part>();
  /** Those who declare a server, in the order in which they began with it. */
  readonly #owners = new Map<string, readonly Part[]>();

  constructor(port: DeclaringPort) {
    this.#port = port;
  }

  /** Does nothing before it is followed. */
  declare(): Declaration {
    const part: Part = { servers: new Map(), defaults: undefined, told: new Set() };
    let stay: () => void = () => undefined;
    return {
      follow: (servers, defaults) => {
        stay();
        this.#follow(part, servers, defaults);
      },
      setCallbacks: (servers) => {
        for (const [id, options] of Object.entries(servers)) this.#renewCallbacks(part, id, options);
      },
      release: () => {
        stay();
        // Whoever lets go and comes back within a task, as a framework does, keeps its servers.
        stay = this.#port.later(() => this.#leave(part));
      },
    };
  }

  #follow(
    part: Part,
    servers: Readonly<Record<string, ServerOptions>>,
    defaults: ServerDefaults | undefined,
  ): void {
    this.#parts.add(part);
    part.defaults = defaults;
    const refill = this.#port.setDefaults(this.#defaults());
    for (const id of Array.from(part.servers.keys())) {
      if (!Object.hasOwn(servers, id)) this.#withdraw(part, id);
    }
    for (const [id, options] of Object.entries(servers)) this.#declare(part, id, splitOptions(options));
    // After the servers, so that who gets other settings and other defaults changes once.
    refill();
    this.#compareDefaults();
  }

  #leave(part: Part): void {
    for (const id of Array.from(part.servers.keys())) this.#withdraw(part, id);
    this.#parts.delete(part);
    part.told.clear();
    this.#port.setDefaults(this.#defaults())();
    this.#compareDefaults();
  }

  #declare(part: Part, id: string, said: SplitOptions): void {
    const before = part.servers.get(id);
    part.servers.set(id, said);
    if (before === undefined) this.#owners.set(id, [...this.#ownersOf(id), part]);
    if (this.#ownersOf(id)[0] === part) this.#carryOut(id, before, said);
    this.#compare(id);
  }

  /** Who declares the server next, if anybody does, counts from now on. */
  #withdraw(part: Part, id: string): void {
    const before = part.servers.get(id);
    const owners = this.#ownersOf(id);
    const left = owners.filter((owner) => owner !== part);
    part.servers.delete(id);
    part.told.delete(id);
    this.#owners.set(id, left);
    const next = left[0]?.servers.get(id);
    if (next === undefined) {
      this.#owners.delete(id);
      return this.#port.remove(id);
    }
    if (owners[0] === part) this.#carryOut(id, before, next);
    this.#compare(id);
  }

  #carryOut(id: string, before: SplitOptions | undefined, { config, callbacks }: SplitOptions): void {
    this.#port.setCallbacks(id, callbacks);
    if (before !== undefined && sameValue(before.config, config)) return;
    if (!this.#port.has(id)) return this.#port.add(id, config);
    if (before === undefined) return this.#port.replace(id, config);
    this.#port.patch(id, changesBetween(before.config, config));
  }

  #renewCallbacks(part: Part, id: string, options: ServerOptions): void {
    const said = part.servers.get(id);
    if (said === undefined) return;
    const { callbacks } = splitOptions(options);
    part.servers.set(id, { ...said, callbacks });
    if (this.#ownersOf(id)[0] === part) this.#port.setCallbacks(id, callbacks);
  }

  #ownersOf(id: string): readonly Part[] {
    return this.#owners.get(id) ?? [];
  }

  #defaults(): ServerDefaults | undefined {
    return [...this.#parts].find(({ defaults }) => defaults !== undefined)?.defaults;
  }

  #compare(id: string): void {
    const [first, ...others] = this.#ownersOf(id);
    const config = first?.servers.get(id)?.config;
    for (const other of others) this.#judge(other, id, sameValue(config, other.servers.get(id)?.config));
  }

  #compareDefaults(): void {
    const counting = this.#defaults();
    for (const part of this.#parts) {
      const { defaults } = part;
      this.#judge(part, undefined, defaults === undefined || sameValue(counting, defaults));
    }
  }

  /** Tells of a disagreement once for as long as it lasts. */
  #judge({ told }: Part, about: string | undefined, agrees: boolean): void {
    if (agrees) return void told.delete(about);
    if (told.has(about)) return;
    told.add(about);
    this.#port.disagree(about);
  }
}

/** Parts what is settings from what is told. */
export function splitOptions(options: ServerOptions): SplitOptions {
  const { onNotification, onSampling, onElicitation, ...config } = options;
  const callbacks = {
    ...(onNotification === undefined ? {} : { onNotification }),
    ...(onSampling === undefined ? {} : { onSampling }),
    ...(onElicitation === undefined ? {} : { onElicitation }),
  };
  return { config, callbacks };
}
