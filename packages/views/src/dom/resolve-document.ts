import { ViewsError } from '../errors.ts';
import type { ViewConnection } from '../view-connection.ts';
import { resolveViewResource } from '../view-resource.ts';
import type { ViewResource } from '../view-resource.ts';
import { READ_TIMEOUT_MS } from './view-defaults.ts';
import type { ViewOrigin } from './view-settings.ts';

async function read(uri: string, connection: ViewConnection, signal: AbortSignal): Promise<unknown> {
  try {
    return await connection.request(
      { method: 'resources/read', params: { uri } },
      { signal, timeoutMs: READ_TIMEOUT_MS },
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new ViewsError('resource_unreadable', { uri, reason }, { cause: error });
  }
}

/** Whether there is something to show, or somebody to ask for it. */
export function canResolve({ document, connection }: ViewOrigin): boolean {
  return document !== undefined || connection?.isReady === true;
}

/**
 * The document of a view: the one given, or the one its server hands out.
 *
 * @throws ViewsError `resource_unreadable`, `not_a_view`
 */
export async function resolveDocument(
  { uri, document, connection }: ViewOrigin,
  signal: AbortSignal,
): Promise<ViewResource> {
  const readable = document === undefined && connection !== undefined && uri.startsWith('ui://');
  const result = readable ? await read(uri, connection, signal) : { contents: [document] };
  const resolved = resolveViewResource({ uri, result, listed: connection?.listed?.(uri) });
  if (!resolved.ok) throw new ViewsError('not_a_view', { refusal: resolved.refusal });
  return resolved.resource;
}
