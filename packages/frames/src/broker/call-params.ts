import type { JSONRPCParams } from '@portico/rpc';
import { MAX_INPUT_LENGTH, MAX_NAME_LENGTH } from '../limits.ts';
import type { GatewayCall } from './gateway.ts';

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME_LENGTH;
}

/** The call in a frame's params; undefined for anything the kernel would not have sent. */
export function readCall(params: JSONRPCParams | undefined): GatewayCall | undefined {
  const { server, tool, input = {} } = params ?? {};
  if (!isName(server) || !isName(tool)) return undefined;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  if (JSON.stringify(input).length > MAX_INPUT_LENGTH) return undefined;
  return { server, tool, input: input as Record<string, unknown> };
}

/** Splits `mcp:<server>` at the first colon; undefined for a name that is no permission. */
export function readPermission(name: unknown): { readonly server?: string } | undefined {
  if (name === 'mcp') return {};
  if (typeof name !== 'string' || !name.startsWith('mcp:')) return undefined;
  return { server: name.slice('mcp:'.length) };
}
