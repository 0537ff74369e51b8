import { ROUTES, openViewSchema, viewRequestSchema } from '@portico/api';
import type { Hono } from 'hono';
import type { ViewSessions } from '../../views/view-sessions.ts';
import { readBody } from '../request-body.ts';
import { shellOrigin } from './artifact-routes.ts';

/** Routes of open views and of what they ask of their own server. */
export function addViewRoutes(app: Hono, views: ViewSessions): void {
  app.post(ROUTES.views, async (context) => {
    const at = await readBody(context, openViewSchema);
    return context.json(await views.open(at, shellOrigin(context)));
  });
  app.delete(ROUTES.view, (context) => {
    views.close(context.req.param('viewId'));
    return context.body(null, 204);
  });
  app.post(ROUTES.viewRequests, async (context) => {
    const request = await readBody(context, viewRequestSchema);
    return context.json(await views.request(context.req.param('viewId'), request, context.req.raw.signal));
  });
}
