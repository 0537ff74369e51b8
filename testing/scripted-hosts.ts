/** One request as it left a sign-in. */
export interface HostRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly text: string;
  /** The body as a form. */
  readonly form: URLSearchParams;
  readonly redirect: RequestInit['redirect'];
}

/** What a place answers: a document as JSON, a status alone, a whole response, or one made for the request. */
export type HostAnswer =
  | object
  | number
  | Response
  | ((request: HostRequest) => object | number | Response | Promise<object | number | Response>);

/** Places by `METHOD url`; the url without its query. */
export type HostScript = Readonly<Record<string, HostAnswer>>;

export interface ScriptedHosts {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Everything that was asked, in order. */
  readonly log: readonly HostRequest[];
  /** `METHOD url` of everything that was asked. */
  lines(): readonly string[];
  /** The forms that were posted to a place. */
  forms(url: string): readonly URLSearchParams[];
  /** Changes what places answer from now on. */
  change(script: HostScript): void;
}

function asResponse(answer: object | number | Response): Response {
  if (answer instanceof Response) return answer.clone();
  return typeof answer === 'number' ? new Response(null, { status: answer }) : Response.json(answer);
}

/** Many hosts behind one fetch; places that nobody named are not there. */
export function createScriptedHosts(script: HostScript): ScriptedHosts {
  const places: Record<string, HostAnswer> = { ...script };
  const log: HostRequest[] = [];
  const nameOf = ({ method, url }: HostRequest): string => `${method} ${url.origin}${url.pathname}`;
  return {
    log,
    lines: () => log.map(({ method, url }) => `${method} ${url.href}`),
    forms: (url) => log.filter((request) => nameOf(request) === `POST ${url}`).map(({ form }) => form),
    change: (changed) => void Object.assign(places, changed),
    async fetch(input, init = {}) {
      const { body } = init;
      const text = typeof body === 'string' ? body : body instanceof URLSearchParams ? body.toString() : '';
      const request: HostRequest = {
        method: init.method ?? 'GET',
        url: new URL(input),
        headers: new Headers(init.headers),
        text,
        form: new URLSearchParams(text),
        redirect: init.redirect,
      };
      log.push(request);
      const answer = places[nameOf(request)] ?? 404;
      return asResponse(typeof answer === 'function' ? await answer(request) : answer);
    },
  };
}

/** What an authorization server says of itself in tests unless they change it. */
export function serverDocument(
  issuer: string,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  const document: Record<string, unknown> = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    ...changes,
  };
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined));
}

/** A protected server and its authorization server, which gives out what it is asked for. */
export function signInHosts(
  options: {
    readonly server?: string;
    readonly issuer?: string;
    readonly resource?: Record<string, unknown>;
    readonly metadata?: Record<string, unknown>;
  } = {},
): Record<string, HostAnswer> {
  const { server = 'https://api.test/mcp', issuer = 'https://id.test' } = options;
  const { origin, pathname } = new URL(server);
  const path = pathname === '/' ? '' : pathname;
  let tokens = 0;
  return {
    [`GET ${origin}/.well-known/oauth-protected-resource${path}`]: {
      resource: server,
      authorization_servers: [issuer],
      ...options.resource,
    },
    [`GET ${issuer}/.well-known/oauth-authorization-server`]: serverDocument(issuer, options.metadata),
    [`POST ${issuer}/register`]: ({ text }) => ({
      ...(JSON.parse(text) as object),
      client_id: `client-of-${new URL(issuer).host}`,
    }),
    [`POST ${issuer}/token`]: () => {
      tokens += 1;
      return {
        access_token: `access-${tokens}`,
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: `refresh-${tokens}`,
      };
    },
  };
}
