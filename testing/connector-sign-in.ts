import type { Connector, SignInAttempt, SignInResult } from '@portico/api';
import type { InProcessHost } from './in-process-host.ts';

/** Signing in to connectors of a host over its API, as a browser would. */
export interface ConnectorSignIn {
  /** Adds a connector by address, and waits until it asks for a sign-in. */
  add(url: string, name?: string): Promise<Connector>;
  /** As the window does: to our page, and on to the other site; undefined when it says that it cannot. */
  begin(id: string): Promise<URL | undefined>;
  finish(query: string): Promise<SignInResult>;
  attempts(id: string): Promise<readonly SignInAttempt[]>;
  readonly redirectUrl: string;
}

/** @param host asked each time, so that a test may put another in its place */
export function connectorSignIn(host: () => InProcessHost): ConnectorSignIn {
  return {
    async add(url, name = 'Mail') {
      const transport = { kind: 'http', url, headers: {} };
      const { id } = await host().call<Connector>('POST', '/api/connectors', { name, transport });
      return await host().untilConnector(id, 'needs_sign_in');
    },
    async begin(id) {
      const { status, headers } = await host().request('GET', `/sign-in/${id}?mode=window`);
      return status === 303 ? new URL(String(headers.location)) : undefined;
    },
    finish: (query) => host().call('POST', '/api/sign-in/callback', { query }),
    attempts: async (id) =>
      (await host().call<{ attempts: SignInAttempt[] }>('GET', `/api/connectors/${id}/sign-ins`)).attempts,
    get redirectUrl() {
      return `http://127.0.0.1:${host().host.port}/oauth/callback`;
    },
  };
}

/** Goes where a browser is sent by a site that asks nobody, and answers the query that it comes back with. */
export async function followToCallback(url: URL): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '').search;
}
