import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectorSignIn, followToCallback } from '../../../../testing/connector-sign-in.ts';
import { startGuardedServer } from '../../../../testing/guarded-server.ts';
import type { GuardedServer } from '../../../../testing/guarded-server.ts';
import { memoryKeys, startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { startScriptedIssuer } from '../../../../testing/scripted-issuer.ts';
import type { ScriptedIssuer } from '../../../../testing/scripted-issuer.ts';

const DOCUMENT = 'https://app.example/client.json';
const none = { registration_endpoint: undefined };
const GIVEN = { clientId: 'given', clientSecret: 'canary-given-secret' };

/** What an issuer says of itself, and as whom one signs in with a document of ours on the web and without. */
const ROWS: readonly (readonly [string, Record<string, unknown>, string, string])[] = [
  [
    'reads documents of clients without a secret',
    { ...none, client_id_metadata_document_supported: true, token_endpoint_auth_methods_supported: ['none'] },
    DOCUMENT,
    'asked',
  ],
  [
    'reads documents of clients with a secret',
    {
      ...none,
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    },
    'asked',
    'asked',
  ],
  [
    'registers, and reads no documents',
    { client_id_metadata_document_supported: false },
    'client-1',
    'client-1',
  ],
  ['registers, and says nothing of documents', {}, 'client-1', 'client-1'],
  ['does neither', none, 'asked', 'asked'],
];

describe('as whom the host signs in', () => {
  let host: InProcessHost;
  let issuer: ScriptedIssuer;
  let server: GuardedServer;
  let folder: string;
  const keys = memoryKeys();
  const signIn = connectorSignIn(() => host);
  const start = async (options: { clientMetadataUrl?: string } = {}): Promise<void> => {
    host = await startInProcessHost({ folder, keys, ...options });
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-identity-'));
    issuer = await startScriptedIssuer();
    server = await startGuardedServer(issuer);
  });
  afterEach(async () => {
    await host.close();
    await server.close();
    await issuer.close();
    rmSync(folder, { recursive: true });
  });
  const authOf = async (id: string): Promise<Connector['auth']> =>
    (await host.bootstrap()).connectors.find((connector) => connector.id === id)?.auth;
  /** The id that the browser is sent out with, or what the person is asked. */
  const settle = async (id: string): Promise<string> => {
    const url = await signIn.begin(id);
    if (url !== undefined) return url.searchParams.get('client_id') ?? '';
    const { attempt, redirectUrl } = (await authOf(id)) ?? {};
    return attempt?.cause === 'client_id_needed' && redirectUrl === signIn.redirectUrl ? 'asked' : 'failed';
  };

  for (const [clientMetadataUrl, column] of [
    [DOCUMENT, 2],
    [undefined, 3],
  ] as const) {
    const where = clientMetadataUrl === undefined ? 'without a document' : 'with a document on the web';
    it.each(ROWS)(`K44 field-D23 ${where}, where the issuer %s`, async (...row) => {
      issuer.metadata = row[1];
      await start(clientMetadataUrl === undefined ? {} : { clientMetadataUrl });
      const { id } = await signIn.add(server.url);
      expect(await settle(id)).toBe(row[column]);
      expect(issuer.registrations).toHaveLength(row[column] === 'client-1' ? 1 : 0);
    });

    it.each(ROWS)(`K44 an id given by hand wins ${where}, where the issuer %s`, async (...row) => {
      issuer.metadata = row[1];
      await start(clientMetadataUrl === undefined ? {} : { clientMetadataUrl });
      const { id } = await signIn.add(server.url);
      await host.call('PUT', `/api/connectors/${id}/identity`, GIVEN);
      expect(await settle(id)).toBe('given');
      expect(issuer.registrations).toEqual([]);
    });
  }

  it('K44 forgets what failed once the id is given, and signs in with it and its secret', async () => {
    issuer.metadata = none;
    await start();
    const { id } = await signIn.add(server.url);
    expect(await settle(id)).toBe('asked');
    const set = await host.call<Connector>('PUT', `/api/connectors/${id}/identity`, GIVEN);
    expect(set.auth?.attempt).toBeUndefined();
    const url = await signIn.begin(id);
    const { attempt } = await signIn.finish(await followToCallback(url!));
    expect(attempt.status).toBe('done');
    expect(attempt.steps.find(({ step }) => step === 'client-identity')?.detail).toMatchObject({
      way: 'given',
    });
    await host.untilConnector(id, 'ready');
    expect(host.answers.join('\n')).not.toContain('canary-given-secret');
  });

  it('K44 registers anew at the address of today when the host has moved to another port', async () => {
    await start();
    const { id } = await signIn.add(server.url);
    const before = signIn.redirectUrl;
    await signIn.finish(await followToCallback((await signIn.begin(id))!));
    await host.untilConnector(id, 'ready');
    // What keeps the port from being taken again at once.
    const old = host;
    await start();
    await old.kill();
    expect(signIn.redirectUrl).not.toBe(before);
    // The tokens of then are good, and so is their client, until somebody signs in again.
    await host.untilConnector(id, 'ready');
    expect(issuer.registrations).toHaveLength(1);
    expect((await signIn.begin(id))?.searchParams.get('client_id')).toBe('client-2');
    expect(issuer.registrations.map((body) => body['redirect_uris'])).toEqual([
      [before],
      [signIn.redirectUrl],
    ]);
    expect((await signIn.begin(id))?.searchParams.get('client_id')).toBe('client-2');
    expect(issuer.registrations).toHaveLength(2);
  });
});
