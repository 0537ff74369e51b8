import { findParamHeaders } from '@portico/spec';
import { ServerError } from '../errors.ts';
import type { SchemaCompiler } from '../schema/schema-compiler.ts';
import type { SchemaDefinition } from '../schema/standard-schema.ts';

/**
 * Input schemas whose marks were found in order: servers made for each request register the same ones
 * each time. A memo, no state.
 */
const IN_ORDER = new WeakSet<object>();

/**
 * Refuses a tool whose arguments are marked for headers (`x-mcp-header`) against the rules: clients
 * over HTTP have to leave such a tool out of their lists, and its author would never learn why.
 *
 * @throws ServerError `INVALID_SCHEMA` with `data.reason` `header_mark`
 */
export function assertHeaderMarks(
  definition: SchemaDefinition | undefined,
  { compiler, tool }: { readonly compiler: SchemaCompiler; readonly tool: string },
): void {
  if (definition === undefined || IN_ORDER.has(definition)) return;
  const found = findParamHeaders(compiler.compile(definition, 'input').json);
  if (!found.ok) {
    throw new ServerError('INVALID_SCHEMA', {
      message: `the input schema of tool ${tool} cannot be used: ${found.reason}`,
      data: { reason: 'header_mark' },
    });
  }
  IN_ORDER.add(definition);
}
