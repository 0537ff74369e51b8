import type { SignInAttempt } from '@portico/api';
import { expect, it } from 'vitest';
import { SENT_BY_PEERS, connectorRecord } from './store-records.ts';
import type { StoreContext } from './store-contract.ts';

/** Rules of what is kept in confidence for accounts. */
export function grantRules(context: StoreContext): void {
  it('are kept by account and name, replaced, and go with their account', async () => {
    const { grants, connectors } = context.stores;
    await connectors.put(connectorRecord('a', 1));
    await connectors.put(connectorRecord('b', 2));
    expect(await grants.get('a', 'tokens')).toBeUndefined();
    await grants.put({ connectorId: 'a', name: 'tokens', sealed: 'one' });
    await grants.put({ connectorId: 'a', name: 'tokens', sealed: 'two' });
    await grants.put({ connectorId: 'a', name: 'client', sealed: 'three' });
    await grants.put({ connectorId: 'b', name: 'tokens', sealed: 'four' });
    const { grants: reopened, connectors: owners } = await context.reopen();
    expect(await reopened.get('a', 'tokens')).toBe('two');
    expect(await reopened.list('a')).toEqual([
      { connectorId: 'a', name: 'client', sealed: 'three' },
      { connectorId: 'a', name: 'tokens', sealed: 'two' },
    ]);
    expect(await reopened.list()).toHaveLength(3);
    await reopened.remove('a', 'client');
    await reopened.remove('a', 'never there');
    expect(await reopened.list('a')).toHaveLength(1);
    await owners.remove('a');
    expect(await reopened.list()).toEqual([{ connectorId: 'b', name: 'tokens', sealed: 'four' }]);
  });

  it('of an account that is gone are refused', async () => {
    const { grants } = context.stores;
    await expect(grants.put({ connectorId: 'gone', name: 'tokens', sealed: 'x' })).rejects.toMatchObject({
      code: 'missing_parent',
    });
  });
}

/** Rules of attempts to sign in. */
export function signInRules(context: StoreContext): void {
  const attempt = (id: string, startedAtMs: number, connectorId = 'a'): SignInAttempt => ({
    id,
    connectorId,
    startedAtMs,
    status: 'running',
    steps: [{ atMs: 1, step: 'challenge', outcome: 'used', detail: { text: SENT_BY_PEERS } }],
  });

  it('are kept newest first, replaced by id, and go with their account', async () => {
    const { connectors, signIns } = context.stores;
    await connectors.put(connectorRecord('a', 1));
    await signIns.put(attempt('first', 1));
    await signIns.put(attempt('second', 2));
    await signIns.put({ ...attempt('first', 1), status: 'done', endedAtMs: 3 });
    const { signIns: reopened, connectors: owners } = await context.reopen();
    expect(await reopened.list('a')).toEqual([
      attempt('second', 2),
      { ...attempt('first', 1), status: 'done', endedAtMs: 3 },
    ]);
    await owners.remove('a');
    expect(await reopened.list('a')).toEqual([]);
    await expect(reopened.put(attempt('third', 3))).rejects.toMatchObject({ code: 'missing_parent' });
  });

  it('are forgotten by age and number, each account for itself', async () => {
    const { connectors, signIns } = context.stores;
    await connectors.put(connectorRecord('a', 1));
    await connectors.put(connectorRecord('b', 2));
    for (let n = 1; n <= 5; n++) await signIns.put(attempt(`a${n}`, n));
    await signIns.put(attempt('b1', 1, 'b'));
    await signIns.prune('a', { beforeMs: 2, keep: 3 });
    expect((await signIns.list('a')).map(({ id }) => id)).toEqual(['a5', 'a4', 'a3']);
    await signIns.prune('a', { beforeMs: 5, keep: 3 });
    expect((await signIns.list('a')).map(({ id }) => id)).toEqual(['a5']);
    expect(await signIns.list('b')).toHaveLength(1);
  });
}
