import type { Client } from '@portico/client';
import type { LoggingLevel } from '@portico/spec';
import { EntryCalls, notReady } from './entry-calls.ts';
import { ConnectionsError } from './errors.ts';
import { Health } from './health.ts';
import { KeptLink } from './kept-link.ts';
import { linkFailure } from './link-failure.ts';
import { readWholeList } from './list-reading.ts';
import { createModel } from './model.ts';
import type { ConnectionEffect, ConnectionEvent, ConnectionModel } from './model.ts';
import { watchLists } from './list-watch.ts';
import type { WatchPort } from './list-watch.ts';
import { openLink, timedOut } from './opening.ts';
import type { ConnectionLimits, ConnectionsOptions } from './options.ts';
import { backOffMs } from './policy.ts';
import type { ReconnectPolicy } from './policy.ts';
import { reduceConnection } from './reduce.ts';
import { sameValue } from './same-value.ts';
import { createLink } from './server-link.ts';
import { LogLevel } from './standing/log-level.ts';
import type { StandingPort } from './standing/standing-port.ts';
import { WatchedResources } from './standing/watched-resources.ts';
import type { ServerLink } from './server-link.ts';
import type { ConnectionFailure, ConnectionState, ListName } from './state.ts';
import { Timers } from './timers.ts';
import { Waiters } from './waiters.ts';

/** What all entries share. */
export interface EntrySurroundings {
  readonly options: ConnectionsOptions;
  readonly limits: ConnectionLimits;
  readonly random: () => number;
  policyFor(id: string, definition: unknown): ReconnectPolicy;
  /** The state is another one now. Must not throw. */
  changed(id: string): void;
}

/** What belongs to one opening. */
interface Live {
  readonly generation: number;
  readonly link: ServerLink;
  readonly health: Health;
  readonly abort: AbortController;
  /** Settles when the client is no longer being opened, well or not. Never rejects. */
  opening?: Promise<unknown>;
}

/** One connection at work: carries out what the reducer decides, and tells it what happens. */
export class ConnectionEntry {
  readonly id: string;
  readonly #surroundings: EntrySurroundings;
  readonly #timers: Timers;
  readonly #waiters: Waiters;
  readonly #calls: EntryCalls;
  readonly #kept: KeptLink;
  readonly #resources: WatchedResources;
  readonly #logLevel: LogLevel;
  #definition: unknown;
  #model: ConnectionModel;
  #live: Live | undefined;
  /** Settles when all that was closed so far is gone. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(id: string, definition: unknown, surroundings: EntrySurroundings) {
    this.id = id;
    this.#definition = definition;
    this.#surroundings = surroundings;
    const { clock } = surroundings.options;
    this.#timers = new Timers(clock);
    this.#waiters = new Waiters(id);
    this.#model = createModel(id, surroundings.policyFor(id, definition), clock.now());
    this.#kept = new KeptLink({
      create: (events) => createLink(id, { ...surroundings.options, bounds: surroundings.limits }, events),
      offered: () => surroundings.options.capabilities,
      dispatch: (event) => this.dispatch(event),
      troubled: (generation) => this.#lookAfter(generation),
      reported: (error) => this.#report(error),
      notified: (notification) => {
        this.heard();
        surroundings.options.onNotification?.(id, notification);
      },
    });
    this.#calls = new EntryCalls({
      state: () => this.state,
      line: () => this.#live,
      dispatch: (event) => this.dispatch(event),
      settledSoon: (signal) => {
        const present = { clock, signal, state: () => this.state };
        return this.#waiters.settledWithin(this.#model.policy.connectTimeoutMs, present);
      },
    });
    this.#resources = new WatchedResources(this.#standingPort());
    this.#logLevel = new LogLevel(this.#standingPort());
  }

  get state(): ConnectionState {
    return this.#model.state;
  }

  /** The client, from the first opening on until the connection is ended. */
  get client(): Client | undefined {
    return this.#kept.client;
  }

  /** Another definition; takes effect with the next opening. */
  redefine(definition: unknown): void {
    this.#definition = definition;
    this.#kept.forget();
    this.renewPolicy();
  }

  /** Asks for the policy anew; what is waited for already stays. */
  renewPolicy(): void {
    const policy = this.#surroundings.policyFor(this.id, this.#definition);
    this.dispatch({ type: 'policy_changed', policy });
  }

  async whenClosed(): Promise<void> {
    await this.#closing;
  }

  dispatch(event: ConnectionEvent): void {
    const { random, options } = this.#surroundings;
    const before = this.#model.state;
    const surroundings = { nowMs: options.clock.now(), random: random() };
    const { model, effects } = reduceConnection(this.#model, event, surroundings);
    this.#model = model;
    for (const effect of effects) this.#perform(effect);
    if (
      (event.type === 'opened' || event.type === 'session_renewed') &&
      event.generation === model.generation
    )
      this.#wishAgain(event.type);
    if (model.state === before) return;
    if (model.state.status !== 'connecting') {
      this.#timers.cancel('attempt');
      this.#waiters.settle(model.state);
    }
    this.#surroundings.changed(this.id);
  }

  /** Resolves with the state once the connection is no longer being opened. */
  settled(): Promise<ConnectionState> {
    const { state } = this.#model;
    return state.status === 'connecting' ? this.#waiters.settled() : Promise.resolve(state);
  }

  /**
   * Runs a call over the open client, opening an idle connection and waiting for one that is coming.
   *
   * @throws ConnectionsError every code of a call
   */
  call<T>(run: (client: Client) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#calls.call(run, signal);
  }

  /**
   * Runs a call over the client as it is now; a refusal ends nothing.
   *
   * @throws ConnectionsError `not_ready`
   * @throws what the client throws
   */
  callNow<T>(run: (client: Client) => Promise<T>): Promise<T> {
    return this.#calls.callNow(run);
  }

  /** As {@link WatchedResources.watch}, over a connection that can be used. */
  watchResource(uri: string): Promise<() => void> {
    return this.#resources.watch(uri);
  }

  /** As {@link LogLevel.want}, over a connection that can be used. */
  wantLogs(level: LoggingLevel): Promise<() => void> {
    return this.#logLevel.want(level);
  }

  /** Whether the server gives a sign of life when it is asked for one. Never rejects. */
  async isAlive(timeoutMs: number): Promise<boolean> {
    const live = this.#live;
    return live !== undefined && live.health.isAlive(timeoutMs);
  }

  /** Something came from the server beside answers. */
  heard(): void {
    this.#live?.health.heard();
  }

  /** What was found out about the line from outside. */
  lose(failure: ConnectionFailure): void {
    this.dispatch({ type: 'lost', generation: this.#model.generation, failure });
  }

  /** Somebody has to sign in before it can go on. */
  refuse(failure: ConnectionFailure): void {
    this.dispatch({ type: 'refused', generation: this.#model.generation, failure });
  }

  /** Reads a list again. @returns what it failed with, or nothing */
  readList(list: ListName): Promise<unknown> {
    return this.#readList(list);
  }

  #perform(effect: ConnectionEffect): void {
    switch (effect.type) {
      case 'close':
        return this.#putAway();
      case 'rest':
        return this.#timers.cancelAll();
      case 'open':
        return void this.#open(effect.generation);
      case 'retry_later': {
        const { generation, delayMs } = effect;
        const retry = (): void => this.dispatch({ type: 'retry_due', generation });
        return this.#timers.arm('retry', delayMs, retry);
      }
      case 'list':
        return void this.#readList(effect.list);
      case 'relist_later': {
        const { list, delayMs } = effect;
        const { generation } = this.#model;
        const relist = (): void => this.dispatch({ type: 'relist_due', generation, list });
        return this.#timers.arm(`relist ${list}`, delayMs, relist);
      }
    }
  }

  /** Lets go of the client, an opening under way and all timers. */
  #putAway(): void {
    this.#timers.cancelAll();
    const live = this.#live;
    this.#live = undefined;
    this.#kept.rest();
    const { status } = this.#model.state;
    if (status === 'idle' || status === 'stopped') this.#kept.forget();
    if (live === undefined) return;
    live.abort.abort();
    // A client that is still being opened takes no other channel.
    this.#closing = Promise.all([this.#closing, live.opening, this.#close(live.link)]);
  }

  async #close(link: ServerLink): Promise<void> {
    try {
      await link.client.close();
    } catch (error) {
      this.#report(error);
    }
  }

  async #open(generation: number): Promise<void> {
    const { options, limits } = this.#surroundings;
    const link = this.#kept.take();
    const health = new Health(link.client, limits, {
      answered: () => this.dispatch({ type: 'answered', generation }),
      missed: () => this.dispatch({ type: 'ping_missed', generation }),
      lost: (failure) => this.dispatch({ type: 'lost', generation, failure }),
    });
    const live: Live = { generation, link, health, abort: new AbortController() };
    this.#live = live;
    // What was closed just now may still hold what the new one needs, such as a lock or a port.
    await this.#closing;
    if (this.#live !== live) return;
    this.#kept.serve(generation);
    const timeoutMs = this.#model.policy.connectTimeoutMs;
    const dueMs = options.clock.now() + timeoutMs;
    const signal = live.abort.signal;
    const opening = { id: this.id, definition: this.#definition, link, options, timeoutMs, signal };
    const opened = openLink(opening);
    live.opening = opened;
    const failure = await opened;
    if (this.#live !== live) return;
    if (failure !== undefined) return this.dispatch({ type: 'open_failed', generation, failure });
    this.dispatch({ type: 'opened', generation, about: link.about() });
    if (this.state.status === 'connecting') this.#limitFirstList(generation, dueMs - options.clock.now());
    health.watch(this.#timers);
    void watchLists(this.#watchPort(live));
  }

  /** A connection whose tools do not come is as little of use as one that does not open. */
  #limitFirstList(generation: number, leftMs: number): void {
    const { connectTimeoutMs } = this.#model.policy;
    this.#timers.arm('attempt', leftMs, () => {
      this.dispatch({ type: 'open_failed', generation, failure: timedOut(connectTimeoutMs) });
    });
  }

  /** After a trouble: is the server there, and what did we miss? */
  #lookAfter(generation: number): void {
    const live = this.#live;
    if (live?.generation !== generation) return;
    void live.health.check().then(() => this.dispatch({ type: 'session_renewed', generation }));
  }

  #watchPort(live: Live): WatchPort {
    const { options, random } = this.#surroundings;
    return {
      clock: options.clock,
      timers: this.#timers,
      link: live.link,
      random,
      policy: () => this.#model.policy,
      // One that rests begins nothing by itself.
      isCurrent: () => this.#live === live && this.state.status !== 'needs_sign_in',
      hold: () => this.#holdStream(),
      missed: () => this.#lookAfter(live.generation),
    };
  }

  /** Takes a place for a request that stays open; there is always one where nobody counts them. */
  async #holdStream(): Promise<(() => void) | undefined> {
    const { holdWatch } = this.#surroundings.options;
    return holdWatch === undefined ? () => undefined : holdWatch(this.id);
  }

  #wishAgain(because: 'opened' | 'session_renewed'): void {
    this.#resources.again(because);
    this.#logLevel.again();
  }

  #standingPort(): StandingPort {
    const { options, random } = this.#surroundings;
    return {
      id: this.id,
      client: () => (this.state.status === 'needs_sign_in' ? undefined : openClient(this.#live?.link)),
      now: () => options.clock.now(),
      steadyMs: () => this.#model.policy.steadyAfterMs,
      later: (failures, run) =>
        this.#timers.arm('resources', backOffMs(this.#model.policy, failures, random()), run),
      hold: () => this.#holdStream(),
      missed: (uri) => options.onNotification?.(this.id, { method: RESOURCE_UPDATED, params: { uri } }),
      report: (error) => this.#report(error),
    };
  }

  async #readList(list: ListName): Promise<unknown> {
    const live = this.#live;
    if (live === undefined) return notReady(this.state);
    const { generation, link } = live;
    try {
      const read = await readWholeList(link.client, list, this.#surroundings.limits);
      const before = this.state[list];
      const items = { [list]: sameValue(before, read.items) ? before : read.items };
      this.dispatch({ type: 'list_loaded', generation, list, items, dropped: read.dropped });
      return undefined;
    } catch (error) {
      if (this.#live !== live) return error;
      this.#surroundings.options.onListFailed?.(this.id, list, error);
      this.#report(error);
      this.dispatch({ type: 'list_failed', generation, list, failure: linkFailure(error) });
      return error;
    }
  }

  #report(error: unknown): void {
    const shown = error instanceof Error ? error : new ConnectionsError('closed', undefined);
    this.#surroundings.options.onReport?.(this.id, shown);
  }
}

const RESOURCE_UPDATED = 'notifications/resources/updated';

function openClient(link: ServerLink | undefined): Client | undefined {
  return link?.client.transport === undefined ? undefined : link.client;
}
