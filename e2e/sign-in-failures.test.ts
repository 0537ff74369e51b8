import type { SignInAttempt } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptText } from '../packages/console/src/sign-in/attempt-text.ts';
import { connectorSignIn, followToCallback } from '../testing/connector-sign-in.ts';
import { startGuardedServer } from '../testing/guarded-server.ts';
import type { GuardedServer } from '../testing/guarded-server.ts';
import { startInProcessHost } from '../testing/in-process-host.ts';
import type { InProcessHost } from '../testing/in-process-host.ts';
import { ISSUER_FAULTS, startScriptedIssuer } from '../testing/scripted-issuer.ts';
import type { IssuerFault, ScriptedIssuer } from '../testing/scripted-issuer.ts';

const TOLD = ISSUER_FAULTS.filter(({ cause }) => cause !== 'unknown_state');
const STRANGER = ISSUER_FAULTS.find(({ cause }) => cause === 'unknown_state');

describe('a sign-in that fails', () => {
  let host: InProcessHost;
  let issuer: ScriptedIssuer;
  let server: GuardedServer;
  const signIn = connectorSignIn(() => host);
  beforeAll(async () => {
    issuer = await startScriptedIssuer();
    [host, server] = await Promise.all([startInProcessHost(), startGuardedServer(issuer)]);
  });
  afterAll(async () => {
    await host.close();
    await server.close();
    await issuer.close();
  });

  /** One attempt at an issuer that fails that way, from the press of the button to its end. */
  const fail = async ({ places = {}, secure = false }: IssuerFault): Promise<SignInAttempt> => {
    const { id } = await signIn.add(server.url);
    Object.assign(issuer, { places, secure });
    const url = await signIn.begin(id);
    if (url !== undefined) {
      const query = await followToCallback(url);
      await host.request('POST', '/api/sign-in/callback', { query });
    }
    const [attempt] = await signIn.attempts(id);
    Object.assign(issuer, { places: {}, secure: false });
    await host.call('DELETE', `/api/connectors/${id}`);
    return attempt!;
  };

  /** The step at which the log says that it failed. */
  const failingStep = ({ steps }: SignInAttempt): string | undefined =>
    steps.findLast(({ outcome }) => ['failed', 'refused', 'missed'].includes(outcome))?.step;

  it.each(TOLD)('K42 K43 is told as $cause, at the step $step', async (fault) => {
    const attempt = await fail(fault);
    expect([attempt.status, attempt.cause]).toEqual(['failed', fault.cause]);
    expect(attempt.message).toMatch(/\w/);
    expect(failingStep(attempt)).toBe(fault.step);
    expect(attempt.steps.at(-1)?.step).toBe(fault.step);
    const copy = attemptText(attempt).split('\n');
    expect(copy).toHaveLength(attempt.steps.length + 2);
    expect(copy.at(-2)).toContain(fault.step);
    expect(copy.at(-1)).toContain(fault.cause);
  });

  it('K42 K43 is told as unknown_state to who came, and to the attempts that wait in this browser', async () => {
    const attempt = await fail(STRANGER!);
    // Nobody knows whose way back it was: the attempt goes on.
    expect([attempt.status, failingStep(attempt)]).toEqual(['waiting', 'callback']);
    expect(host.answers.at(-3)).toContain('"issues":["cause: unknown_state"]');
  });

  it('K42 is kept and copied without what was secret in it, whatever the servers repeat', async () => {
    const copies: string[] = [];
    for (const fault of ISSUER_FAULTS) copies.push(attemptText(await fail(fault)));
    const secrets = new Set(issuer.sent.filter((secret) => secret.length > 5));
    expect([...secrets].some((secret) => secret.startsWith('canary-code'))).toBe(true);
    // Code, verifier, state and secret of every attempt that came so far.
    expect(secrets.size).toBeGreaterThan(8);
    const places = { copies, answers: host.answers, log: [JSON.stringify(host.log.lines)] };
    for (const [place, texts] of Object.entries(places)) {
      for (const secret of [...secrets, 'canary-']) {
        // A way back is sent to the site and comes from there: that is its address, and no answer of ours.
        const shown = texts.filter((text) => text.includes(secret) && !text.includes('/authorize?'));
        expect(shown, `${secret} in ${place}`).toEqual([]);
      }
    }
  });

  it('K42 has the first step at once and each later one as it comes', async () => {
    const { id } = await signIn.add(server.url);
    const seen: number[] = [];
    const all = host.until((event): event is typeof event => {
      if (event.type !== 'connector.changed' || event.connector.id !== id) return false;
      const { attempt } = event.connector.auth ?? {};
      if (attempt !== undefined) seen.push(attempt.stepCount);
      return attempt?.status === 'waiting';
    });
    await signIn.begin(id);
    await all;
    const [attempt] = await signIn.attempts(id);
    expect(attempt?.steps.map(({ step }) => step)).toEqual([
      'challenge',
      'resource-metadata',
      'server-metadata',
      'client-identity',
      'registration',
      'authorization',
    ]);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 6]);
  });
});
