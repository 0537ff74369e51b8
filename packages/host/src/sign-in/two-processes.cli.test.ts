import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { auth, finishAuthorization } from '@portico/oauth';
import { systemClock } from '@portico/rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walkToCallback } from '../../../../testing/authorization-server.ts';
import { startGuardedServer } from '../../../../testing/guarded-server.ts';
import type { GuardedServer } from '../../../../testing/guarded-server.ts';
import { startProgram } from '../../../../testing/processes.ts';
import type { Program } from '../../../../testing/processes.ts';
import { startRotatingIssuer } from '../../../../testing/rotating-issuer.ts';
import type { RotatingIssuer } from '../../../../testing/rotating-issuer.ts';
import { connectorRecord } from '../../../../testing/store-records.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { openSqliteStores } from '../store/sqlite-stores.ts';
import { createAccounts } from './accounts.ts';
import type { Account } from './accounts.ts';
import { createSealedGrants } from './sealed-grants.ts';

const DIST = join(import.meta.dirname, '../../dist');
const importLine = (name: string, file: string): string =>
  `import { ${name} } from ${JSON.stringify(pathToFileURL(join(DIST, file)).href)};`;
const REDIRECT = 'http://127.0.0.1/oauth/callback';

/** Gets the token of an account as a channel does, and says when another one has the lock. */
const USE_ACCOUNT = `
${importLine('openSqliteStores', 'store/sqlite-stores.js')}
${importLine('createSecretBox', 'secrets/secret-box.js')}
${importLine('createSealedGrants', 'sign-in/sealed-grants.js')}
${importLine('createAccounts', 'sign-in/accounts.js')}
${importLine('createAccountTokens', 'sign-in/account-tokens.js')}
const [path, key, aheadMs, afterwards] = process.argv.slice(1);
const clock = {
  now: () => Date.now() + Number(aheadMs),
  setTimer: (ms, run) => { const t = setTimeout(run, ms); return { cancel: () => clearTimeout(t), unref: () => t.unref() }; },
};
const stores = await openSqliteStores({ path, clock });
const leases = {
  ...stores.leases,
  async take(lease) {
    const taken = await stores.leases.take(lease);
    if (!taken) console.log('waits');
    return taken;
  },
};
const secrets = createSecretBox({ current: Buffer.from(key, 'hex'), previous: [] });
const grants = createSealedGrants({ store: stores.grants, secrets });
const accounts = createAccounts({ grants, leases, clock, redirectUrl: () => ${JSON.stringify(REDIRECT)} });
const account = accounts.of((await stores.connectors.list())[0]);
const ended = () => { console.log('ended'); return new Error('ended'); };
const sink = { refused: ended, lost: ended, offersSignIn: async () => false, changed: () => undefined };
const token = await createAccountTokens(account, clock, sink).token();
console.log('token ' + token);
if (afterwards === 'stay') setInterval(() => undefined, 1000);
else { await accounts.close(); await stores.close(); }
`;

describe('an account that two processes use', () => {
  const key = randomBytes(32);
  let folder: string;
  let issuer: RotatingIssuer;
  let server: GuardedServer;
  let programs: Program[];
  /** Of the sign-in. */
  let first: string | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-processes-'));
    // Tokens that need renewing the moment they are there.
    issuer = await startRotatingIssuer({ lifetimeSeconds: 60 });
    server = await startGuardedServer(issuer);
    programs = [];
    await signIn();
  });
  afterEach(async () => {
    for (const program of programs) program.child.kill('SIGKILL');
    await server.close();
    await issuer.close();
    await rm(folder, { recursive: true });
  });

  const path = (): string => join(folder, 'portico.db');
  const record = (): ConnectorRecord => ({
    ...connectorRecord('a', 1),
    transport: { kind: 'http', url: server.url, headers: {} },
  });
  const withAccount = async (work: (account: Account) => Promise<void>): Promise<void> => {
    const stores = await openSqliteStores({ path: path(), clock: systemClock });
    await stores.connectors.put(record());
    const secrets = createSecretBox({ current: key, previous: [] });
    const grants = createSealedGrants({ store: stores.grants, secrets });
    const { leases } = stores;
    const accounts = createAccounts({
      grants,
      leases,
      clock: systemClock,
      clientMetadataUrl: undefined,
      redirectUrl: () => REDIRECT,
    });
    await work(accounts.of(record())!);
    await accounts.close();
    await stores.close();
  };
  const signIn = (): Promise<void> =>
    withAccount(async (account) => {
      const opened: URL[] = [];
      const provider = await account.provider((url) => void opened.push(url));
      const options = { ...account.http, serverUrl: account.serverUrl };
      await auth(provider, options);
      await finishAuthorization(provider, await walkToCallback(opened[0]!, REDIRECT), options);
      first = (await provider.tokens())?.access_token;
    });
  /** @param aheadMs how much later it is there */
  const use = (aheadMs: number, afterwards = 'end'): Program => {
    const args = [path(), key.toString('hex'), String(aheadMs), afterwards];
    const program = startProgram(['--input-type=module', '-e', USE_ACCOUNT, ...args]);
    programs.push(program);
    return program;
  };
  const tokenOf = async (program: Program): Promise<string> =>
    (await program.waitFor(/^token (\S+)$/m))[1] ?? '';
  const isGood = async (token: string): Promise<boolean> => (await issuer.verify(token)) !== undefined;
  /** The minute of a token is nearly over. */
  const DUE_MS = 58_000;

  it('K45 W221 field-D22 is renewed once for both, and both can go on', async () => {
    let second = (): void => undefined;
    const asksToo = new Promise<void>((resolve) => (second = resolve));
    issuer.beforeRefresh = async () => {
      if (issuer.attempts > 1) second();
      // Nobody is answered before the other one waits, or asks as well.
      await Promise.race([asksToo, ...programs.map((program) => program.waitFor(/^waits$/m))]);
    };
    const tokens = await Promise.all([use(DUE_MS), use(DUE_MS)].map(tokenOf));
    expect(new Set(tokens).size).toBe(1);
    expect(await Promise.all(tokens.map(isGood))).toEqual([true, true]);
    expect([issuer.attempts, issuer.renewals]).toEqual([1, 1]);
    for (const program of programs) {
      expect(await program.ended, program.stderr()).toBe(0);
      expect(program.stdout()).not.toContain('ended');
    }
  });

  it('K45 keeps what one got that was killed before it could use it', async () => {
    const killed = use(DUE_MS, 'stay');
    const token = await tokenOf(killed);
    expect(token).not.toBe(first);
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    // A moment later, still within the new token's time.
    expect(await tokenOf(use(1_000))).toBe(token);
    expect(await isGood(token)).toBe(true);
    expect(issuer.renewals).toBe(1);
  });

  it('K45 goes on after one was killed while it renewed, once its lease is over', async () => {
    issuer.beforeRefresh = () => new Promise(() => undefined);
    const killed = use(DUE_MS, 'stay');
    await expect.poll(() => issuer.attempts).toBe(1);
    killed.child.kill('SIGKILL');
    await killed.ended;
    issuer.beforeRefresh = () => Promise.resolve();
    // Half a minute later than the lease was taken: what it was taken for is over.
    const token = await tokenOf(use(DUE_MS + 31_000));
    expect([await isGood(token), issuer.renewals]).toEqual([true, 1]);
  });
});
