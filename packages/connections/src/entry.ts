import { failureOf } from '@portico/client';
import type { Client } from '@portico/client';
import { toCallError } from './call-error.ts';
import { ConnectionsError } from './errors.ts';
import { Health } from './health.ts';
import { createModel } from './model.ts';
import type { ConnectionEffect, ConnectionEvent, ConnectionModel } from './model.ts';
import { openLink } from './opening.ts';
import type { ConnectionLimits, ConnectionsOptions } from './options.ts';
import { backOffMs } from './policy.ts';
import type { ReconnectPolicy } from './policy.ts';
import { reduceConnection } from './reduce.ts';
import { createLink, methodOfList } from './server-link.ts';
import type { LinkEvents, ServerLink } from './server-link.ts';
import type { ConnectionState, ListName, ServerLists } from './state.ts';
import { Timers } from './timers.ts';

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
}

/** One connection at work: carries out what the reducer decides, and tells it what happens. */
export class ConnectionEntry {
  readonly id: string;
  readonly #surroundings: EntrySurroundings;
  readonly #timers: Timers;
  readonly #waiters = new Set<(state: ConnectionState) => void>();
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
    this.#model = createModel(id, surroundings.policyFor(id, definition), clock.now());
  }

  get state(): ConnectionState {
    return this.#model.state;
  }

  /** Another definition; takes effect with the next opening. */
  redefine(definition: unknown): void {
    this.#definition = definition;
    const policy = this.#surroundings.policyFor(this.id, definition);
    this.#model = { ...this.#model, policy };
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
    if (model.state === before) return;
    if (model.state.status !== 'connecting') this.#settleWaiters(model.state);
    this.#surroundings.changed(this.id);
  }

  /** Resolves with the state once the connection is no longer being opened. */
  settled(): Promise<ConnectionState> {
    const { state } = this.#model;
    if (state.status !== 'connecting') return Promise.resolve(state);
    return new Promise((resolve) => {
      this.#waiters.add(resolve);
    });
  }

  /**
   * Runs a call over the open client, opening an idle connection and waiting for one that is coming.
   *
   * @throws ConnectionsError every code of a call
   */
  async call<T>(run: (client: Client) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const live = await this.#usable(signal);
    const callEnds = live.health.callBegins();
    try {
      const result = await run(live.link.client);
      this.dispatch({ type: 'answered', generation: live.generation });
      return result;
    } catch (error) {
      this.#callFailed(error, live);
      throw toCallError(this.id, error);
    } finally {
      callEnds();
    }
  }

  #perform(effect: ConnectionEffect): void {
    switch (effect.type) {
      case 'close':
        return this.#putAway();
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
    if (live === undefined) return;
    live.abort.abort();
    this.#closing = Promise.all([this.#closing, this.#close(live.link)]);
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
    const link = createLink(this.id, { ...options, bounds: limits }, this.#events(generation));
    const health = new Health(link.client, limits, {
      answered: () => this.dispatch({ type: 'answered', generation }),
      missed: () => this.dispatch({ type: 'ping_missed', generation }),
      lost: (failure) => this.dispatch({ type: 'lost', generation, failure }),
    });
    const live: Live = { generation, link, health, abort: new AbortController() };
    this.#live = live;
    // What was closed just now may still hold what the new one needs, such as a lock or a port.
    await this.#closing;
    const failure = live.abort.signal.aborted
      ? undefined
      : await openLink({
          id: this.id,
          definition: this.#definition,
          link,
          options,
          timeoutMs: this.#model.policy.connectTimeoutMs,
          signal: live.abort.signal,
        });
    if (this.#live !== live) return this.#close(link);
    if (failure !== undefined) return this.dispatch({ type: 'open_failed', generation, failure });
    this.dispatch({ type: 'opened', generation, about: link.about() });
    health.watch(this.#timers);
    void this.#watchLists(live);
  }

  #events(generation: number): LinkEvents {
    return {
      listChanged: (list) => this.dispatch({ type: 'list_changed', generation, list }),
      sessionRenewed: () => this.dispatch({ type: 'session_renewed', generation }),
      troubled: (failure) => {
        this.dispatch({ type: 'troubled', generation, failure });
        this.#lookAfter(generation);
      },
      closed: (failure) => this.dispatch({ type: 'lost', generation, failure }),
      reported: (error) => this.#report(error),
      notified: (notification) => this.#surroundings.options.onNotification?.(this.id, notification),
    };
  }

  /** After a trouble: is the server there, and what did we miss? */
  #lookAfter(generation: number): void {
    const live = this.#live;
    if (live?.generation !== generation) return;
    void live.health.check().then(() => this.dispatch({ type: 'session_renewed', generation }));
  }

  /**
   * Listens for notices for as long as the connection lives; a stream that broke is opened anew.
   *
   * @param drops streams that broke in a row, this one included
   */
  async #watchLists(live: Live, drops = 1): Promise<void> {
    const { clock } = this.#surroundings.options;
    const startedMs = clock.now();
    const ending = await live.link.watchLists();
    if (this.#live !== live || ending === 'none' || ending === 'local') return;
    const { policy } = this.#model;
    const steady = clock.now() - startedMs >= policy.steadyAfterMs;
    const delayMs = backOffMs(policy, steady ? 1 : drops, this.#surroundings.random());
    this.#timers.arm('watch', delayMs, () => {
      this.#lookAfter(live.generation);
      void this.#watchLists(live, steady ? 1 : drops + 1);
    });
  }

  async #readList(list: ListName): Promise<void> {
    const live = this.#live;
    if (live === undefined) return;
    const { generation, link } = live;
    const { listMaxMs, listMaxPages } = this.#surroundings.limits;
    try {
      const { items, dropped } = await link.client.listAll(methodOfList(list), {
        timeout: listMaxMs,
        maxTotalTimeout: listMaxMs,
        maxPages: listMaxPages,
      });
      this.dispatch({
        type: 'list_loaded',
        generation,
        list,
        items: this.#keepEqual(list, items),
        dropped: dropped.map((item) => ({ list, ...item })),
      });
    } catch (error) {
      this.#report(error);
      this.dispatch({ type: 'list_failed', generation, list, failure: failureOf(error) });
    }
  }

  /** A list that reads the same stays the same object, so that nobody draws it anew. */
  #keepEqual(list: ListName, items: readonly unknown[]): Partial<ServerLists> {
    const before = this.#model.state[list];
    const same = before.length === items.length && JSON.stringify(before) === JSON.stringify(items);
    return { [list]: same ? before : items };
  }

  #callFailed(error: unknown, live: Live): void {
    const failure = failureOf(error);
    const { generation } = live;
    if (failure.step === 'sign_in') this.dispatch({ type: 'refused', generation, failure });
    // The line may be gone, but other calls may still be fine: look before anything is closed.
    else if (failure.retryable && failure.step !== 'timeout') void live.health.check();
  }

  async #usable(signal: AbortSignal | undefined): Promise<Live> {
    if (this.#model.state.status === 'idle') this.dispatch({ type: 'connect' });
    const state = await this.#settledWithin(signal);
    const live = this.#live;
    const usable = state.status === 'ready' || state.status === 'degraded';
    if (usable && live !== undefined) return live;
    if (state.status === 'needs_sign_in') {
      throw new ConnectionsError('needs_sign_in', { id: this.id });
    }
    const { status, error } = state;
    throw new ConnectionsError(
      'not_ready',
      { id: this.id, status },
      error === undefined ? {} : { message: `the connection is not ready: ${error.message}` },
    );
  }

  /** The settled state, or the present one when the time or the caller's patience is over. */
  #settledWithin(signal: AbortSignal | undefined): Promise<ConnectionState> {
    if (this.#model.state.status !== 'connecting') return Promise.resolve(this.#model.state);
    const { clock } = this.#surroundings.options;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        timer.cancel();
        this.#waiters.delete(done);
        signal?.removeEventListener('abort', abort);
      };
      const done = (state: ConnectionState): void => {
        end();
        resolve(state);
      };
      const abort = (): void => {
        end();
        reject(new ConnectionsError('cancelled', { id: this.id }, { cause: signal?.reason }));
      };
      const timer = clock.setTimer(this.#model.policy.connectTimeoutMs, () => done(this.state));
      this.#waiters.add(done);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted === true) abort();
    });
  }

  #settleWaiters(state: ConnectionState): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const settle of waiters) settle(state);
  }

  #report(error: unknown): void {
    const shown = error instanceof Error ? error : new ConnectionsError('closed', undefined);
    this.#surroundings.options.onReport?.(this.id, shown);
  }
}
