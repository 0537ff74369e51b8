import { codecFor, readProtocolVersion } from '@portico/spec';

/** The standard headers of a modern message; nothing for anything else. */
export function headersOf(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null || !('method' in body)) return {};
  const { method, params } = body as { method: string; params?: Record<string, unknown> };
  const version = readProtocolVersion(params);
  const codec = version === undefined ? undefined : codecFor('2026-07-28');
  if (codec === undefined || version === undefined) return {};
  const headers = codec.headersFor({ method, ...(params === undefined ? {} : { params }) });
  return { ...headers, 'MCP-Protocol-Version': version };
}
