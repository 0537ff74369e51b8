import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { SignInCause } from '@portico/api';
import type { AuthorizationServer } from './authorization-server.ts';

/** One request to the issuer. */
export interface IssuerRequest {
  readonly query: URLSearchParams;
  readonly text: string;
  readonly form: URLSearchParams;
  /** Where the browser comes back to, with the state and issuer that it should bring. */
  back(parameters: Readonly<Record<string, string>>): IssuerAnswer;
}

/** What the issuer answers. */
export interface IssuerAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Answers by `METHOD /path`. */
export type IssuerPlaces = Readonly<Record<string, (request: IssuerRequest) => IssuerAnswer>>;

/** An authorization server on this machine that does as it is told; every secret it gives out begins with `canary-`. */
export interface ScriptedIssuer extends AuthorizationServer {
  /** What it says of itself besides the usual; undefined leaves a member out. */
  metadata: Readonly<Record<string, unknown>>;
  /** Replaces what some places answer, until it is said anew. */
  places: IssuerPlaces;
  /** Speaks no TLS, but is said to. */
  secure: boolean;
  /** Bodies of registrations. */
  readonly registrations: readonly Record<string, unknown>[];
  /** Everything secret that it was sent: codes, verifiers, states and the like. */
  readonly sent: readonly string[];
}

/** A way to fail, with the cause that people are told and the step at which the log says so. */
export interface IssuerFault {
  readonly cause: SignInCause;
  readonly step: string;
  readonly places?: IssuerPlaces;
  readonly secure?: boolean;
}

const gone = (): IssuerAnswer => ({ status: 404 });
const says =
  (error: string, headers = {}) =>
  (request: IssuerRequest): IssuerAnswer => ({
    status: 400,
    headers,
    // As servers do that are meant for people who look for a mistake.
    body: {
      error,
      error_description: `${error}, since I was sent ${request.text} ${request.query.toString()}`,
    },
  });
const goesBack =
  (parameters: Readonly<Record<string, string>>) =>
  (request: IssuerRequest): IssuerAnswer =>
    request.back(parameters);
const HOUR_MS = 3_600_000;
const inAnHour = (): string => new Date(Date.now() + HOUR_MS).toUTCString();

/** Ten ways in which issuers fail, each with a cause of its own (K43). */
export const ISSUER_FAULTS: readonly IssuerFault[] = [
  {
    cause: 'no_metadata',
    step: 'server-metadata',
    places: {
      'GET /.well-known/oauth-authorization-server': gone,
      'GET /.well-known/openid-configuration': gone,
    },
  },
  {
    cause: 'registration_refused',
    step: 'registration',
    places: { 'POST /register': says('invalid_client_metadata') },
  },
  {
    cause: 'redirect_mismatch',
    step: 'registration',
    places: { 'POST /register': says('invalid_redirect_uri') },
  },
  {
    cause: 'access_denied',
    step: 'callback',
    places: { 'GET /authorize': goesBack({ error: 'access_denied' }) },
  },
  {
    cause: 'unknown_state',
    step: 'callback',
    places: { 'GET /authorize': goesBack({ code: 'canary-foreign-code', state: 'canary-foreign-state' }) },
  },
  {
    cause: 'issuer_mismatch',
    step: 'callback',
    places: { 'GET /authorize': goesBack({ code: 'canary-code-of-another', iss: 'https://evil.example' }) },
  },
  { cause: 'invalid_grant', step: 'token', places: { 'POST /token': says('invalid_grant') } },
  {
    cause: 'wrong_clock',
    step: 'token',
    places: { 'POST /token': (request) => says('invalid_grant', { date: inAnHour() })(request) },
  },
  {
    cause: 'scope_too_small',
    step: 'callback',
    places: { 'GET /authorize': goesBack({ error: 'invalid_scope' }) },
  },
  { cause: 'tls', step: 'server-metadata', secure: true },
];

/** Members of forms that are secret. */
const SECRET = ['code', 'code_verifier', 'client_secret', 'refresh_token', 'token'];

/** Starts it on loopback. */
export async function startScriptedIssuer(): Promise<ScriptedIssuer> {
  const registrations: Record<string, unknown>[] = [];
  const sent: string[] = [];
  const log: string[] = [];
  const good = new Set<string>();
  let count = 0;
  const usual: IssuerPlaces = {
    'GET /.well-known/oauth-authorization-server': () => ({ body: documentOf(issuer, self.metadata) }),
    'POST /register': ({ text }) => {
      registrations.push(JSON.parse(text) as Record<string, unknown>);
      const id = `client-${registrations.length}`;
      const secrets = {
        client_secret: 'canary-client-secret',
        registration_access_token: 'canary-registration',
      };
      return { status: 201, body: { ...(JSON.parse(text) as object), client_id: id, ...secrets } };
    },
    'GET /authorize': (request) => request.back({ code: `canary-code-${(count += 1)}` }),
    'POST /token': () => {
      count += 1;
      const access_token = `canary-access-${count}`;
      good.add(access_token);
      const refresh_token = `canary-refresh-${count}`;
      return {
        body: { access_token, refresh_token, token_type: 'Bearer', expires_in: 3_600, scope: 'read' },
      };
    },
    'POST /revoke': ({ form }) => {
      good.delete(form.get('token') ?? '');
      return {};
    },
  };
  const answer = async (request: IncomingMessage): Promise<IssuerAnswer> => {
    const url = new URL(request.url ?? '/', issuer);
    const text = await textOf(request);
    const form = new URLSearchParams(text);
    for (const name of SECRET) if (form.has(name)) sent.push(form.get(name) ?? '');
    sent.push(...url.searchParams.getAll('state'), ...basicSecret(request));
    const place = `${request.method} ${url.pathname}`;
    log.push(place);
    const back = (parameters: Readonly<Record<string, string>>): IssuerAnswer => {
      const target = new URL(url.searchParams.get('redirect_uri') ?? '');
      const usualOnes = { state: url.searchParams.get('state') ?? '', iss: issuer };
      for (const [name, value] of Object.entries({ ...usualOnes, ...parameters }))
        target.searchParams.set(name, value);
      return { status: 303, headers: { location: target.href } };
    };
    return (self.places[place] ?? usual[place] ?? gone)({ query: url.searchParams, text, form, back });
  };
  const server = createServer(
    (request, response) => void answer(request).then((made) => write(response, made)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self: ScriptedIssuer = {
    metadata: {},
    places: {},
    secure: false,
    registrations,
    sent,
    log,
    get issuer() {
      return self.secure ? issuer.replace('http:', 'https:') : issuer;
    },
    verify: (token) => Promise.resolve(good.has(token) ? { scopes: ['read'], resource: '' } : undefined),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

function basicSecret({ headers }: IncomingMessage): readonly string[] {
  const [scheme, credentials = ''] = headers.authorization?.split(' ') ?? [];
  return scheme === 'Basic' ? [Buffer.from(credentials, 'base64').toString('utf8').split(':')[1] ?? ''] : [];
}

function documentOf(issuer: string, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const document: Record<string, unknown> = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...changes,
  };
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined));
}

function write(response: ServerResponse, { status = 200, headers = {}, body }: IssuerAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
