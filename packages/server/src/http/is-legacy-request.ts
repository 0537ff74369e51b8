import { METHOD_HEADER, NAME_HEADER, PROTOCOL_VERSION_HEADER } from '@portico/spec';
import { readRequestBody } from './fetch-face.ts';
import { type InboundHttpRequest, classifyInboundRequest } from './inbound-classification.ts';

export interface IsLegacyRequestOptions {
  /** The body limit of the handler that is decided for, in bytes. Default 4 MiB. */
  readonly maxRequestBodySize?: number;
  /** The revisions of the server that is decided for, newest first. Default: all. */
  readonly supportedVersions?: readonly string[];
}

/**
 * Whether `createMcpHandler` would serve this request as legacy traffic, so that a sessionful
 * deployment can stand beside a modern endpoint. It decides by the same rules. Everything that the
 * modern endpoint answers, its refusals included, is false; a body that is no JSON is true.
 *
 * The body is read from a copy and stays readable. Behind a body parser give `parsedBody`, which is
 * then looked at instead.
 */
export async function isLegacyRequest(
  request: Request,
  parsedBody?: unknown,
  options: IsLegacyRequestOptions = {},
): Promise<boolean> {
  let body = parsedBody;
  if (body === undefined && request.method === 'POST') {
    const read = await readRequestBody(request.clone(), options.maxRequestBodySize).catch(() => undefined);
    if (read?.tooLarge === true) return false;
    try {
      body = JSON.parse(read?.text ?? '') as unknown;
    } catch {
      return true;
    }
  }
  const { supportedVersions } = options;
  const outcome = classifyInboundRequest(
    describe(request, body),
    supportedVersions === undefined ? {} : { supportedVersions },
  );
  return outcome.kind === 'legacy';
}

function describe(request: Request, body: unknown): InboundHttpRequest {
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  return {
    httpMethod: request.method,
    protocolVersionHeader: header(PROTOCOL_VERSION_HEADER),
    mcpMethodHeader: header(METHOD_HEADER),
    mcpNameHeader: header(NAME_HEADER),
    body,
  };
}
