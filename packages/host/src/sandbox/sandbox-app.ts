import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Log } from '../host-options.ts';
import type { SandboxDocuments } from './sandbox-documents.ts';

/** What the listener found out about the request before it came here. */
export interface SandboxBindings {
  readonly Bindings: { readonly label: string };
}

export interface SandboxAppOptions {
  readonly documents: SandboxDocuments;
  readonly log: Log;
}

/** Headers of every refusal: nothing on these hosts may run that was not opened by the console. */
const BARE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/**
 * Serves the sandbox hosts: the documents of open views and frames, by token, and nothing else. No
 * cookie is read or set here.
 */
export function createSandboxApp(options: SandboxAppOptions): Hono<SandboxBindings> {
  const app = new Hono<SandboxBindings>();
  const missing = (context: Context): Response =>
    context.text('There is no such document. Open it from the console.', 404, BARE_HEADERS);
  const serve = (context: Context<SandboxBindings>, kind: 'view' | 'frame', part: string): Response => {
    const token = context.req.param('token') ?? '';
    const document = options.documents.find(token);
    const isMeant = document?.kind === kind && document.label === context.env.label;
    const answer = isMeant ? document.parts[part]?.(token) : undefined;
    return answer === undefined ? missing(context) : context.body(answer.body, 200, { ...answer.headers });
  };
  app.get('/view/:token', (context) => serve(context, 'view', ''));
  app.get('/view/:token/app', (context) => serve(context, 'view', 'app'));
  app.get('/frame/:token', (context) => serve(context, 'frame', ''));
  app.notFound(missing);
  app.onError((error, context) => {
    options.log.error('a sandbox document failed', { error: error.stack ?? error.message });
    return context.text('The document could not be made.', 500, BARE_HEADERS);
  });
  return app;
}
