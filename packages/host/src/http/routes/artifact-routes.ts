import { ROUTES, consentSchema, frameCallSchema, openFrameSchema, publishSchema } from '@portico/api';
import type { Context, Hono } from 'hono';
import type { ArtifactService } from '../../artifacts/artifact-service.ts';
import { MAX_FRAME_INPUT } from '../../artifacts/frame-calls.ts';
import type { FrameSessions } from '../../artifacts/frame-sessions.ts';
import { MAX_PUBLISH_BYTES, readBody } from '../request-body.ts';

/** Room for the names around a frame's input, whose own limit is checked by the gateway. */
const MAX_FRAME_CALL_BYTES = 6 * MAX_FRAME_INPUT;

export interface ArtifactServices {
  readonly artifacts: ArtifactService;
  readonly frames: FrameSessions;
}

/** Routes of artifacts and of their open frames. */
export function addArtifactRoutes(app: Hono, { artifacts, frames }: ArtifactServices): void {
  app.post(ROUTES.artifacts, async (context) =>
    context.json(await artifacts.publish(await readBody(context, publishSchema, MAX_PUBLISH_BYTES))),
  );
  app.delete(ROUTES.artifact, async (context) => {
    await artifacts.remove(context.req.param('artifactId'));
    return context.body(null, 204);
  });
  app.put(ROUTES.artifactConsent, async (context) => {
    const consent = await readBody(context, consentSchema);
    return context.json(await artifacts.setConsent(context.req.param('artifactId'), consent));
  });
  app.post(ROUTES.frames, async (context) => {
    const frame = await readBody(context, openFrameSchema);
    return context.json(await frames.open(frame, shellOrigin(context)));
  });
  app.delete(ROUTES.frame, (context) => {
    frames.close(context.req.param('frameId'));
    return context.body(null, 204);
  });
  app.post(ROUTES.frameCalls, async (context) => {
    const call = await readBody(context, frameCallSchema, MAX_FRAME_CALL_BYTES);
    return context.json(await frames.call(context.req.param('frameId'), call, context.req.raw.signal));
  });
  app.get(ROUTES.frameTools, async (context) =>
    context.json({ servers: await frames.tools(context.req.param('frameId')) }),
  );
}

/** Origin of the page that asks: it will embed the sandbox document, and no other page may. */
export function shellOrigin(context: Context): string {
  return new URL(context.req.url).origin;
}
