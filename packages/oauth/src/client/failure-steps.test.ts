import { describe, expect, it } from 'vitest';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import { createScriptedHosts, signInHosts } from '../../../../testing/scripted-hosts.ts';
import type { HostAnswer } from '../../../../testing/scripted-hosts.ts';
import type { AuthorizationEvent } from '../steps.ts';
import { auth } from './auth.ts';
import { finishAuthorization } from './callback.ts';

const ISSUER = 'https://id.test';
const KEYED = 'https://api.test/mcp?key=canary-key';
const RESOURCE = 'https://api.test/.well-known/oauth-protected-resource/mcp';
const METADATA = `${ISSUER}/.well-known/oauth-authorization-server`;

type Callback = (provider: MemoryProvider) => URLSearchParams;

const good: Callback = () => new URLSearchParams({ code: 'canary-code', state: 's' });
const broken =
  (code: string): HostAnswer =>
  () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
  };
const says = (error: string, status = 400): Response => Response.json({ error }, { status });

interface Failure {
  readonly places?: Record<string, HostAnswer>;
  readonly metadata?: Record<string, unknown>;
  readonly callback?: Callback;
  /** The one event that tells the failure, and the last of all. */
  readonly told: Partial<AuthorizationEvent>;
}

async function run({ places, metadata, callback = good }: Failure): Promise<readonly AuthorizationEvent[]> {
  const hosts = createScriptedHosts({
    ...signInHosts({ server: KEYED, metadata: metadata ?? {} }),
    ...places,
  });
  const events: AuthorizationEvent[] = [];
  const options = {
    serverUrl: KEYED,
    fetchFn: hosts.fetch,
    observer: (event: AuthorizationEvent) => void events.push(event),
  };
  const provider = new MemoryProvider();
  const both = async (): Promise<void> => {
    await auth(provider, options);
    await finishAuthorization(provider, callback(provider), options);
  };
  await expect(both()).rejects.toBeInstanceOf(Error);
  return events;
}

describe('the step at which a sign-in fails', () => {
  it.each<[string, Failure]>([
    [
      'a resource document of another server',
      {
        places: { [`GET ${RESOURCE}`]: { resource: 'https://other.test', authorization_servers: [ISSUER] } },
        told: {
          step: 'resource-metadata',
          outcome: 'failed',
          detail: {
            code: 'resource_mismatch',
            expected: 'https://api.test/mcp',
            received: 'https://other.test/',
          },
        },
      },
    ],
    [
      'a resource that is down',
      {
        places: { [`GET ${RESOURCE}`]: 503 },
        told: {
          step: 'resource-metadata',
          outcome: 'failed',
          status: 503,
          request: { method: 'GET', url: RESOURCE },
        },
      },
    ],
    [
      'no document of the issuer',
      {
        places: { [`GET ${METADATA}`]: 404 },
        told: { step: 'server-metadata', outcome: 'failed', detail: { code: 'no_server_metadata' } },
      },
    ],
    [
      'an issuer that is not reached',
      {
        places: { [`GET ${METADATA}`]: broken('ECONNREFUSED') },
        told: {
          step: 'server-metadata',
          outcome: 'failed',
          request: { method: 'GET', url: METADATA },
          detail: { code: 'network', cause: 'ECONNREFUSED', url: METADATA },
        },
      },
    ],
    [
      'a document of another issuer',
      {
        metadata: { issuer: 'https://evil.test' },
        told: {
          step: 'server-metadata',
          outcome: 'failed',
          status: 200,
          detail: {
            code: 'issuer_mismatch',
            kind: 'metadata',
            expected: 'https://id.test/',
            received: 'https://evil.test/',
          },
        },
      },
    ],
    [
      'nobody who registers',
      {
        metadata: { registration_endpoint: undefined },
        told: {
          step: 'client-identity',
          outcome: 'failed',
          detail: { code: 'client_id_needed', issuer: 'https://id.test/' },
        },
      },
    ],
    [
      'a registration that is refused',
      {
        places: { [`POST ${ISSUER}/register`]: says('invalid_redirect_uri') },
        told: {
          step: 'registration',
          outcome: 'refused',
          status: 400,
          detail: { code: 'invalid_redirect_uri' },
        },
      },
    ],
    [
      'a registration that is not reached',
      {
        places: { [`POST ${ISSUER}/register`]: broken('CERT_HAS_EXPIRED') },
        told: {
          step: 'registration',
          outcome: 'failed',
          detail: { code: 'network', cause: 'CERT_HAS_EXPIRED', url: `${ISSUER}/register` },
        },
      },
    ],
    [
      'a registration without an id',
      {
        places: { [`POST ${ISSUER}/register`]: {} },
        told: { step: 'registration', outcome: 'failed', status: 200 },
      },
    ],
    [
      'a place that no person is sent to',
      {
        metadata: { authorization_endpoint: 'javascript:alert(1)' },
        told: { step: 'authorization', outcome: 'failed' },
      },
    ],
    [
      'a person who says no',
      {
        callback: () => new URLSearchParams({ error: 'access_denied' }),
        told: { step: 'callback', outcome: 'refused', detail: { code: 'access_denied' } },
      },
    ],
    [
      'a way back from elsewhere',
      {
        callback: () => new URLSearchParams({ code: 'canary-code', iss: 'https://evil.test' }),
        told: { step: 'callback', outcome: 'failed' },
      },
    ],
    [
      'a way back with nothing',
      {
        callback: () => new URLSearchParams(),
        told: { step: 'callback', outcome: 'failed', detail: { code: 'callback_incomplete' } },
      },
    ],
    [
      'a code that is void',
      {
        places: { [`POST ${ISSUER}/token`]: says('invalid_grant') },
        told: {
          step: 'token',
          outcome: 'refused',
          status: 400,
          detail: { grant: 'authorization_code', code: 'invalid_grant' },
        },
      },
    ],
    [
      'a token place that breaks off',
      {
        places: { [`POST ${ISSUER}/token`]: broken('ECONNRESET') },
        told: { step: 'token', outcome: 'failed' },
      },
    ],
  ])('K42 is told once and last: %s', async (_name, failure) => {
    const events = await run(failure);
    expect(events.at(-1)).toMatchObject(failure.told);
    expect(events.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused')).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain('canary');
  });

  it('K42 comes after what was done and why: documents, identity, scopes, the way back', async () => {
    const events: AuthorizationEvent[] = [];
    const hosts = createScriptedHosts({
      ...signInHosts({ server: KEYED }),
      [`POST ${ISSUER}/token`]: { access_token: 'canary-token', token_type: 'Bearer', scope: 'a' },
    });
    const options = {
      serverUrl: KEYED,
      scope: 'a b',
      fetchFn: hosts.fetch,
      observer: (event: AuthorizationEvent) => void events.push(event),
    };
    const provider = new MemoryProvider();
    await auth(provider, options);
    await finishAuthorization(provider, new URLSearchParams({ code: 'canary-code' }), options);
    expect(events.map(({ step, outcome, detail }) => ({ [`${step} ${outcome}`]: detail }))).toEqual([
      { 'resource-metadata used': { reason: 'it is at the path of the server' } },
      { 'server-metadata used': { reason: 'it is the OAuth document of the issuer' } },
      { 'client-identity chosen': { way: 'registration', reason: 'the server registers', issuer: ISSUER } },
      { 'registration granted': undefined },
      {
        'authorization asked': {
          issuer: ISSUER,
          scope: 'a b',
          resource: 'https://api.test/mcp',
          redirect: 'http://localhost:3000/callback',
        },
      },
      { 'callback used': { issuer: ISSUER } },
      { 'token granted': { grant: 'authorization_code', scope: 'a' } },
    ]);
    expect(JSON.stringify(events)).not.toContain('canary');
    expect(JSON.stringify(events)).not.toContain(provider.verifier);
  });
});
