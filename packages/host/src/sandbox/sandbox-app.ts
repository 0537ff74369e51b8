import { sandboxFallbackHeaders } from '@portico/views';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Log } from '../host-options.ts';
import { sandboxOrigin } from '../http/host-gate.ts';
import type { SandboxDocuments } from './sandbox-documents.ts';

/** Where the console's own hosts serve documents that get an opaque origin by their headers. */
export const OPAQUE_PATH = '/sandbox/';

/** Stands for a host label in those documents. */
export const OPAQUE_LABEL = 'opaque';

/** What the listener found out about the request before it came here. */
export interface SandboxBindings {
  readonly Bindings: { readonly label: string };
}

export interface SandboxAppOptions {
  readonly documents: SandboxDocuments;
  readonly port: () => number;
  readonly log: Log;
}

/**
 * Serves the sandbox hosts: the documents of open views and frames, by token, and nothing else. No
 * cookie is read or set here.
 */
export function createSandboxApp(options: SandboxAppOptions): Hono<SandboxBindings> {
  const app = new Hono<SandboxBindings>();
  const refuse = (context: Context, status: 403 | 404 | 500, text: string): Response =>
    context.text(text, status, sandboxFallbackHeaders());
  const missing = (context: Context): Response =>
    refuse(context, 404, 'There is no such document. Open it from the console.');
  const serve = (context: Context<SandboxBindings>, kind: 'view' | 'frame', part: string): Response => {
    const token = context.req.param('token') ?? '';
    const document = options.documents.find(token);
    const isMeant = document?.kind === kind && document.label === context.env.label;
    const answer = isMeant ? document.parts[part]?.(token) : undefined;
    return answer === undefined ? missing(context) : context.body(answer.body, 200, { ...answer.headers });
  };
  // Frames are opened by navigation, which names no origin; a script of another place would.
  app.use(async (context, next) => {
    const origin = context.req.header('origin');
    if (origin === undefined || origin === sandboxOrigin(context.env.label, options.port()))
      return await next();
    context.res = refuse(context, 403, 'This request comes from another origin.');
  });
  app.get('/view/:token', (context) => serve(context, 'view', ''));
  app.get('/view/:token/app', (context) => serve(context, 'view', 'app'));
  app.get('/frame/:token', (context) => serve(context, 'frame', ''));
  app.get(`${OPAQUE_PATH}view/:token`, (context) => serve(context, 'view', ''));
  app.get(`${OPAQUE_PATH}frame/:token`, (context) => serve(context, 'frame', ''));
  // Says nothing but that this name was resolved.
  app.get('/probe', (context) =>
    context.body(null, 204, {
      ...sandboxFallbackHeaders(),
      'cross-origin-resource-policy': 'cross-origin',
    }),
  );
  app.notFound(missing);
  app.onError((error, context) => {
    options.log.error('a sandbox document failed', { error: error.stack ?? error.message });
    return refuse(context, 500, 'The document could not be made.');
  });
  return app;
}
