import {
  ROUTES,
  SIGN_IN_PAGES,
  clientIdentitySchema,
  signInCallbackSchema,
  signInModeSchema,
} from '@portico/api';
import type { ClientIdentity, Connector } from '@portico/api';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { ApiRefusal } from '../../api-refusal.ts';
import type { ConnectorService } from '../../gateway/connector-service.ts';
import type { ConnectorRecord } from '../../ports/stores.ts';
import type { SignInService } from '../../sign-in/sign-in-service.ts';
import { consoleOrigins, mainOrigin } from '../host-gate.ts';
import { comingBackPage, signInFailedPage } from '../plain-page.ts';
import { checkMayActAsApplication } from '../../sign-in/application-grant.ts';
import { readBody } from '../request-body.ts';
import { sessionKey } from '../session-gate.ts';

export interface SignInServices {
  readonly connectors: ConnectorService;
  readonly signIns: SignInService;
  readonly port: () => number;
  /** What the person behind a request may do; nothing special unless it is known. */
  readonly roleOf: (context: Context) => string | undefined;
}

/** Routes of signing in to connectors: three pages for browsers, and what the console asks. */
export function addSignInRoutes(app: Hono, services: SignInServices): void {
  const { connectors, signIns, port } = services;
  const recordOf = (context: Context): ConnectorRecord => {
    const record = connectors.record(context.req.param('connectorId') ?? '');
    if (record === undefined) throw new ApiRefusal('not_found', 'There is no such connector.');
    return record;
  };
  app.get(SIGN_IN_PAGES.begin, (context) => begin(context, services, recordOf(context)));
  app.get(SIGN_IN_PAGES.callback, (context) => comeBack(context, services));
  app.post(ROUTES.signInCallback, async (context) => {
    const { query } = await readBody(context, signInCallbackSchema);
    return context.json(await signIns.finish(query, sessionKey(context, port())));
  });
  app.delete(ROUTES.connectorSignIn, (context) => {
    signIns.cancel(recordOf(context).id);
    return context.body(null, 204);
  });
  app.get(ROUTES.connectorSignIns, async (context) =>
    context.json({ attempts: await signIns.attempts(recordOf(context).id) }),
  );
  app.post(ROUTES.connectorSignOut, async (context) => {
    await readBody(context, z.object({}));
    const record = recordOf(context);
    await signIns.signOut(record);
    return context.json(await connectors.restart(record.id));
  });
  app.put(ROUTES.connectorIdentity, async (context) => {
    const identity = await readBody(context, clientIdentitySchema);
    const record = recordOf(context);
    if (identity.grant === 'application') checkMayActAsApplication(services.roleOf(context));
    return context.json(await actAs(services, record, identity));
  });
  app.delete(ROUTES.connectorIdentity, async (context) => {
    return context.json(await actAs(services, recordOf(context), undefined));
  });
}

/** Whoever acts otherwise than before, without anybody signing in or out, acts so from a new connection on. */
async function actAs(
  { connectors, signIns }: SignInServices,
  record: ConnectorRecord,
  identity: ClientIdentity | undefined,
): Promise<Connector> {
  const wasApplication = signIns.view(record)?.actsAs === 'application';
  await signIns.setIdentity(record, identity);
  const changes = wasApplication || identity?.grant === 'application';
  return changes ? await connectors.restart(record.id) : connectors.get(record.id);
}

/** Answers the page that a window opens: it goes on to the other site, or says why it cannot. */
async function begin(
  context: Context,
  { signIns, port }: SignInServices,
  record: ConnectorRecord,
): Promise<Response> {
  const mode = signInModeSchema.safeParse(context.req.query('mode')).data ?? 'page';
  const back = screenPath(context.req.query('back'), originOf(context));
  const browser = {
    mode,
    session: sessionKey(context, port()),
    origin: originOf(context),
    ...(back === undefined ? {} : { back }),
  };
  try {
    return context.redirect((await signIns.begin(record, browser)).href, 303);
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    // The console shows it with the connector, in the page's own language.
    if (mode === 'page') return context.redirect(back ?? `/connectors/${encodeURIComponent(record.id)}`, 303);
    return context.html(signInFailedPage(error.message), 502);
  }
}

/** Longest path of a screen that is come back to, in UTF-16 units. */
const MAX_BACK = 2_048;

/** A path of the console itself, and nothing that would lead elsewhere or round in a circle. */
function screenPath(text: string | undefined, origin: string): string | undefined {
  if (text === undefined || text.length > MAX_BACK || !text.startsWith('/')) return undefined;
  if (!URL.canParse(text, origin)) return undefined;
  const url = new URL(text, origin);
  // A path of two slashes would name another host to a browser.
  const isOurs = url.origin === origin && !url.pathname.startsWith('//');
  const isScreen = isOurs && !/^\/(api|launch|launched|oauth|sign-in)(\/|$)/.test(url.pathname);
  return isScreen ? url.pathname + url.search + url.hash : undefined;
}

/**
 * Answers where other sites send the browser. Its cookie stays away from what another site began, and
 * the address is not always the one that the console is open at; so the browser goes on, first to that
 * console and then, from a page of ours, to the one that ends the sign-in.
 */
function comeBack(context: Context, { signIns, port }: SignInServices): Response {
  const { search } = new URL(context.req.url);
  // What belongs to no sign-in is told where people usually are.
  const origin = signIns.originOf(search) ?? mainOrigin(port());
  if (origin !== originOf(context) && consoleOrigins(port()).includes(origin)) {
    return context.redirect(`${origin}${SIGN_IN_PAGES.callback}${search}`, 303);
  }
  context.header('refresh', `0; url=${SIGN_IN_PAGES.finish}${search}`);
  return context.html(comingBackPage());
}

function originOf(context: Context): string {
  return `http://${context.req.header('host') ?? ''}`;
}
