import type { Conversation, Item } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArtifactRecord, ConsentRecord, Stores } from '../packages/host/src/ports/stores.ts';
import { grantRules, signInRules } from './grant-store-contract.ts';
import { leaseRules } from './lease-store-contract.ts';
import { SENT_BY_PEERS, connectorRecord } from './store-records.ts';

/** What a suite needs of an implementation. */
export interface StoreFixture {
  /** Opens the stores; a second call sees what the first has written. */
  open(): Promise<Stores>;
  /** Called after the stores are closed. */
  dispose(): Promise<void>;
}

/** The behaviour that every implementation of `Stores` must have, as one Vitest suite. */
export function describeStores(name: string, prepare: () => Promise<StoreFixture>): void {
  // oxlint-disable-next-line vitest/valid-title -- the implementation that runs the suite names it
  describe(name, () => {
    let fixture: StoreFixture;
    let stores: Stores;
    beforeEach(async () => {
      fixture = await prepare();
      stores = await fixture.open();
    });
    afterEach(async () => {
      await stores.close();
      await fixture.dispose();
    });
    const context: StoreContext = {
      get stores() {
        return stores;
      },
      async reopen() {
        await stores.close();
        stores = await fixture.open();
        return stores;
      },
      open: () => fixture.open(),
    };
    describe('connectors', () => {
      connectorRules(context);
    });
    describe('conversations', () => {
      conversationRules(context);
    });
    describe('history', () => {
      historyRules(context);
    });
    describe('artifacts', () => {
      artifactRules(context);
    });
    describe('consents', () => {
      consentRules(context);
    });
    describe('sessions', () => {
      sessionRules(context);
    });
    describe('events', () => {
      eventRules(context);
    });
    describe('settings', () => {
      settingRules(context);
    });
    describe('grants', () => {
      grantRules(context);
    });
    describe('sign-ins', () => {
      signInRules(context);
    });
    describe('leases', () => {
      leaseRules(context);
    });
    describe('transactions', () => {
      transactionRules(context);
    });
  });
}

/** What the rules of one kind of record work on. */
export interface StoreContext {
  readonly stores: Stores;
  /** Closes and opens again, as a restart does. */
  reopen(): Promise<Stores>;
  /** Opens a second time beside the first. */
  open(): Promise<Stores>;
}

function conversation(id: string, createdAtMs = 1): Conversation {
  return { id, title: id, status: 'idle', waitingApprovals: 0, createdAtMs, updatedAtMs: createdAtMs };
}

function message(id: string, text: string = id): Item {
  return { id, createdAtMs: 1, type: 'user_message', text };
}

function answer(id: string, streaming: boolean): Item {
  return { id, createdAtMs: 1, type: 'assistant_message', text: '', streaming, model: 'm' };
}

type CallStatus = Extract<Item, { type: 'tool_call' }>['status'];

function call(id: string, status: CallStatus): Item {
  return {
    id,
    createdAtMs: 1,
    type: 'tool_call',
    connectorId: 'c',
    connectorName: 'C',
    tool: 't',
    arguments: {},
    origin: 'model',
    status,
  };
}

function artifact(id: string, version: number, createdAtMs = 1): ArtifactRecord {
  return {
    id,
    title: `${id} ${version}`,
    version,
    contentHash: `hash ${version}`,
    manifest: { title: 'T', mcp: { servers: [{ name: 'S', tools: ['a'] }] } },
    demo: false,
    createdAtMs,
    updatedAtMs: createdAtMs + version,
  };
}

function consent(artifactId: string, server: string, decision: 'allow' | 'deny'): ConsentRecord {
  return { artifactId, server, decision, tools: ['a', 'b'], decidedAtMs: 5 };
}

function connectorRules(context: StoreContext): void {
  it('keeps every field, oldest first, over a restart', async () => {
    const records = [connectorRecord('b', 1), connectorRecord('a', 2), connectorRecord('c', 2)];
    for (const record of records.toReversed()) await context.stores.connectors.put(record);
    const stores = await context.reopen();
    expect(await stores.connectors.list()).toEqual(records);
    expect(await stores.connectors.get('b')).toEqual(records[0]);
    expect(await stores.connectors.get('none')).toBeUndefined();
  });

  it('replaces by id and removes', async () => {
    await context.stores.connectors.put(connectorRecord('a', 1));
    await context.stores.connectors.put(connectorRecord('a', 1, 'renamed'));
    expect(await context.stores.connectors.list()).toEqual([connectorRecord('a', 1, 'renamed')]);
    await context.stores.connectors.remove('a');
    await context.stores.connectors.remove('a');
    expect(await context.stores.connectors.list()).toEqual([]);
  });
}

function conversationRules(context: StoreContext): void {
  it('keeps conversations, oldest first, and replaces by id', async () => {
    const { conversations } = context.stores;
    await conversations.put(conversation('b', 2));
    await conversations.put(conversation('a', 1));
    await conversations.put({ ...conversation('b', 2), title: SENT_BY_PEERS });
    expect(await conversations.list()).toEqual([
      conversation('a', 1),
      { ...conversation('b', 2), title: SENT_BY_PEERS },
    ]);
    expect(await conversations.get('none')).toBeUndefined();
  });

  it('keeps items in the order of first writing and replaces in place', async () => {
    const { conversations } = context.stores;
    await conversations.put(conversation('a'));
    for (const id of ['z', 'y', 'x']) await conversations.putItem('a', message(id));
    await conversations.putItem('a', message('z', 'changed'));
    const stores = await context.reopen();
    expect(await stores.conversations.items('a')).toEqual([
      message('z', 'changed'),
      message('y'),
      message('x'),
    ]);
    expect(await stores.conversations.item('a', 'y')).toEqual(message('y'));
    expect(await stores.conversations.item('a', 'none')).toBeUndefined();
  });

  it('keeps items with the same id in two conversations apart', async () => {
    const { conversations } = context.stores;
    await conversations.put(conversation('a'));
    await conversations.put(conversation('b'));
    await conversations.putItem('a', message('m', 'of a'));
    await conversations.putItem('b', message('m', 'of b'));
    expect(await conversations.items('a')).toEqual([message('m', 'of a')]);
    expect(await conversations.item('b', 'm')).toEqual(message('m', 'of b'));
  });

  it('names items that were at work, and not those that end or wait for approval', async () => {
    const { conversations } = context.stores;
    await conversations.put(conversation('a'));
    const items = [
      message('m'),
      answer('open', true),
      answer('closed', false),
      call('runs', 'running'),
      call('waits', 'waiting_approval'),
      call('done', 'done'),
    ];
    for (const item of items) await conversations.putItem('a', item);
    const stores = await context.reopen();
    expect(await stores.conversations.unfinishedItems()).toEqual([
      { conversationId: 'a', item: answer('open', true) },
      { conversationId: 'a', item: call('runs', 'running') },
    ]);
    await stores.conversations.putItem('a', answer('open', false));
    await stores.conversations.putItem('a', call('runs', 'unknown'));
    expect(await stores.conversations.unfinishedItems()).toEqual([]);
  });

  it('removes a conversation with everything in it, and takes nothing for it afterwards', async () => {
    const { conversations, history } = context.stores;
    await conversations.put(conversation('a'));
    await conversations.putItem('a', answer('x', true));
    await history.append('a', [1]);
    await conversations.remove('a');
    expect(await conversations.items('a')).toEqual([]);
    expect(await conversations.unfinishedItems()).toEqual([]);
    expect(await history.load('a')).toEqual([]);
    await expect(conversations.putItem('a', message('x'))).rejects.toMatchObject({ code: 'missing_parent' });
    await expect(history.append('a', [2])).rejects.toMatchObject({ code: 'missing_parent' });
  });
}

function historyRules(context: StoreContext): void {
  it('keeps entries of any JSON in the order of writing', async () => {
    const { conversations, history } = context.stores;
    await conversations.put(conversation('a'));
    await history.append('a', [{ n: 1, text: SENT_BY_PEERS }, null]);
    await history.append('a', []);
    await history.append('a', ['three', 4.5]);
    const stores = await context.reopen();
    expect(await stores.history.load('a')).toEqual([{ n: 1, text: SENT_BY_PEERS }, null, 'three', 4.5]);
    expect(await stores.history.load('none')).toEqual([]);
  });

  it('adds all entries or none', async () => {
    const { conversations, history } = context.stores;
    await conversations.put(conversation('a'));
    await expect(history.append('a', [1, undefined])).rejects.toMatchObject({ code: 'unsupported_value' });
    expect(await history.load('a')).toEqual([]);
  });
}

function artifactRules(context: StoreContext): void {
  it('keeps every version and lists the newest, oldest artifact first', async () => {
    const { artifacts } = context.stores;
    await artifacts.addVersion(artifact('late', 1, 9), 'late');
    await artifacts.addVersion(artifact('a', 1), 'one');
    await artifacts.addVersion(artifact('a', 2), 'two');
    const stores = await context.reopen();
    expect(await stores.artifacts.list()).toEqual([artifact('a', 2), artifact('late', 1, 9)]);
    expect(await stores.artifacts.get('a')).toEqual(artifact('a', 2));
    expect(await stores.artifacts.get('none')).toBeUndefined();
    expect(await stores.artifacts.page('a', 1)).toBe('one');
    expect(await stores.artifacts.page('a', 2)).toBe('two');
    expect(await stores.artifacts.page('a', 3)).toBeUndefined();
  });

  it('keeps a page as its UTF-8 bytes, mark and NUL included', async () => {
    const page = '\ufeff<p>\u0000 ä 🙂 \u2028</p>';
    await context.stores.artifacts.addVersion(artifact('a', 1), page);
    expect(await context.stores.artifacts.page('a', 1)).toBe(page);
  });

  it('never changes a version', async () => {
    const { artifacts } = context.stores;
    await artifacts.addVersion(artifact('a', 1), 'one');
    const again = artifacts.addVersion({ ...artifact('a', 1), title: 'other' }, 'other');
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    expect(await artifacts.page('a', 1)).toBe('one');
    expect(await artifacts.get('a')).toEqual(artifact('a', 1));
  });

  it('removes an artifact with its pages and consents', async () => {
    const { artifacts, consents } = context.stores;
    await artifacts.addVersion(artifact('a', 1), 'one');
    await consents.put(consent('a', 'S', 'allow'));
    await artifacts.remove('a');
    expect(await artifacts.list()).toEqual([]);
    expect(await artifacts.page('a', 1)).toBeUndefined();
    expect(await consents.list('a')).toEqual([]);
    await expect(consents.put(consent('a', 'S', 'allow'))).rejects.toMatchObject({ code: 'missing_parent' });
  });
}

function consentRules(context: StoreContext): void {
  it('keeps one decision a server, by name, and forgets it when asked', async () => {
    const { artifacts, consents } = context.stores;
    await artifacts.addVersion(artifact('a', 1), 'one');
    await artifacts.addVersion(artifact('b', 1), 'one');
    await consents.put(consent('a', 'T', 'allow'));
    await consents.put(consent('a', 'S', 'deny'));
    await consents.put(consent('a', 'S', 'allow'));
    await consents.put(consent('b', 'S', 'deny'));
    const stores = await context.reopen();
    expect(await stores.consents.list('a')).toEqual([consent('a', 'S', 'allow'), consent('a', 'T', 'allow')]);
    await stores.consents.remove('a', 'S');
    await stores.consents.remove('a', 'never');
    expect(await stores.consents.list('a')).toEqual([consent('a', 'T', 'allow')]);
    expect(await stores.consents.list('b')).toEqual([consent('b', 'S', 'deny')]);
  });
}

function sessionRules(context: StoreContext): void {
  it('keeps, replaces and removes a session', async () => {
    await context.stores.sessions.put({ tokenHash: 'h', createdAtMs: 1, lastSeenAtMs: 1 });
    await context.stores.sessions.put({ tokenHash: 'h', createdAtMs: 1, lastSeenAtMs: 7 });
    const { sessions } = await context.reopen();
    expect(await sessions.get('h')).toEqual({ tokenHash: 'h', createdAtMs: 1, lastSeenAtMs: 7 });
    await sessions.remove('h');
    expect(await sessions.get('h')).toBeUndefined();
  });

  it('forgets sessions that began or were used too long ago', async () => {
    const { sessions } = context.stores;
    await sessions.put({ tokenHash: 'old', createdAtMs: 9, lastSeenAtMs: 100 });
    await sessions.put({ tokenHash: 'idle', createdAtMs: 10, lastSeenAtMs: 19 });
    await sessions.put({ tokenHash: 'alive', createdAtMs: 10, lastSeenAtMs: 20 });
    await sessions.prune({ createdBeforeMs: 10, seenBeforeMs: 20 });
    expect(await sessions.get('old')).toBeUndefined();
    expect(await sessions.get('idle')).toBeUndefined();
    expect(await sessions.get('alive')).toBeDefined();
  });
}

function eventRules(context: StoreContext): void {
  const append = async (stores: Stores, ...atMs: number[]): Promise<number[]> => {
    const stored = await stores.events.append(atMs.map((at) => ({ data: `at ${at}`, atMs: at })));
    return stored.map((event) => event.seq);
  };
  const kept = async (stores: Stores): Promise<number[]> =>
    (await stores.events.after(0, 1_000)).map((event) => event.seq);

  it('numbers events one by one in the order of writing, and goes on after a restart', async () => {
    expect(await context.stores.events.range()).toEqual({ first: 0, last: 0 });
    expect(await context.stores.events.append([])).toEqual([]);
    expect(await append(context.stores, 10)).toEqual([1]);
    expect(await append(context.stores, 11, 12)).toEqual([2, 3]);
    const stores = await context.reopen();
    expect(await append(stores, 13)).toEqual([4]);
    expect(await stores.events.range()).toEqual({ first: 1, last: 4 });
  });

  it('answers up to the limit of those after a number, oldest first', async () => {
    await append(context.stores, 10, 11, 12, 13);
    expect(await context.stores.events.after(1, 2)).toEqual([
      { seq: 2, data: 'at 11', atMs: 11 },
      { seq: 3, data: 'at 12', atMs: 12 },
    ]);
    expect(await context.stores.events.after(4, 10)).toEqual([]);
  });

  it('forgets the oldest beyond the number to keep', async () => {
    await append(context.stores, 10, 11, 12, 13);
    await context.stores.events.prune({ beforeMs: 0, keep: 3 });
    expect(await kept(context.stores)).toEqual([2, 3, 4]);
    expect(await context.stores.events.range()).toEqual({ first: 2, last: 4 });
  });

  it('forgets by age from the oldest on, leaving no gap when the clock was turned back', async () => {
    await append(context.stores, 10, 11, 20, 12, 21);
    await context.stores.events.prune({ beforeMs: 15, keep: 100 });
    expect(await kept(context.stores)).toEqual([3, 4, 5]);
  });

  it('never gives a number twice, not even after all are forgotten', async () => {
    await append(context.stores, 10, 11, 12);
    await context.stores.events.prune({ beforeMs: 99, keep: 100 });
    const stores = await context.reopen();
    expect(await kept(stores)).toEqual([]);
    expect(await stores.events.range()).toEqual({ first: 4, last: 3 });
    expect(await append(stores, 13)).toEqual([4]);
  });

  it('gives numbers of writes that were undone to the next, so that none is missing', async () => {
    await append(context.stores, 10);
    const undone = context.stores.transaction(async (inside) => {
      await append(inside, 11);
      throw new TypeError('undo');
    });
    await expect(undone).rejects.toThrow(TypeError);
    expect(await append(context.stores, 12)).toEqual([2]);
  });
}

function settingRules(context: StoreContext): void {
  it('keeps the last value of a key over a restart', async () => {
    await context.stores.settings.put('port', '6874');
    await context.stores.settings.put('port', '6875');
    const { settings } = await context.reopen();
    expect(await settings.get('port')).toBe('6875');
    expect(await settings.get('none')).toBeUndefined();
  });
}

function transactionRules(context: StoreContext): void {
  it('lands all writes together and answers the result of the work', async () => {
    const result = await context.stores.transaction(async (inside) => {
      await inside.settings.put('a', '1');
      await inside.connectors.put(connectorRecord('c', 1));
      return 'done';
    });
    const stores = await context.reopen();
    expect(result).toBe('done');
    expect(await stores.settings.get('a')).toBe('1');
    expect(await stores.connectors.list()).toHaveLength(1);
  });

  it('leaves no write behind when the work fails', async () => {
    await context.stores.conversations.put(conversation('a'));
    const failing = context.stores.transaction(async (inside) => {
      await inside.settings.put('a', '1');
      await inside.conversations.remove('a');
      await inside.artifacts.addVersion(artifact('x', 1), 'page');
      throw new TypeError('undo');
    });
    await expect(failing).rejects.toThrow(TypeError);
    expect(await context.stores.settings.get('a')).toBeUndefined();
    expect(await context.stores.conversations.list()).toEqual([conversation('a')]);
    expect(await context.stores.artifacts.list()).toEqual([]);
  });

  it('lets a transaction inside a transaction fail on its own', async () => {
    await context.stores.transaction(async (outer) => {
      await outer.settings.put('outer', '1');
      const inner = outer.transaction(async (inside) => {
        await inside.settings.put('inner', '1');
        throw new TypeError('undo');
      });
      await expect(inner).rejects.toThrow(TypeError);
      await outer.transaction((inside) => inside.settings.put('second', '1'));
    });
    const { settings } = context.stores;
    expect(await settings.get('outer')).toBe('1');
    expect(await settings.get('inner')).toBeUndefined();
    expect(await settings.get('second')).toBe('1');
  });

  it('keeps other writes out until it is over', async () => {
    const order: string[] = [];
    const started = context.stores.transaction(async (inside) => {
      await inside.settings.put('a', 'inside');
      order.push('inside');
    });
    const other = context.stores.settings.put('a', 'outside').then(() => order.push('outside'));
    await Promise.all([started, other]);
    expect(order).toEqual(['inside', 'outside']);
    expect(await context.stores.settings.get('a')).toBe('outside');
  });

  it('refuses stores that are used after their transaction', async () => {
    const kept = await context.stores.transaction(async (inside) => inside);
    await expect(kept.settings.put('a', '1')).rejects.toThrow(/already committed|over/);
    expect(await context.stores.settings.get('a')).toBeUndefined();
  });

  it('shows what another opening of the same data wrote', async () => {
    const second = await context.open();
    try {
      await second.settings.put('a', 'from the second');
      expect(await context.stores.settings.get('a')).toBe('from the second');
    } finally {
      await second.close();
    }
  });

  it('refuses work after it was closed', async () => {
    const { stores } = context;
    await stores.close();
    await stores.close();
    await expect(stores.settings.get('a')).rejects.toMatchObject({ code: 'database_closed' });
  });
}
