import { encodeParamHeaders, findParamHeaders } from '@portico/spec';
import type { ParamHeaderRules, Tool } from '@portico/spec';

/** The headers that repeat a tool's arguments; undefined for a tool that asks for none. */
export type ToolHeaders = (args: unknown) => Readonly<Record<string, string>> | undefined;

/** What makes the headers of a tool's calls; those of a tool whose marks break the rules are none. */
export function headersOf(tool: Tool, rules: ParamHeaderRules): ToolHeaders {
  const found = findParamHeaders(tool.inputSchema, rules);
  if (!found.ok || found.headers.length === 0) return () => undefined;
  return (args) => encodeParamHeaders(found.headers, args);
}

/** Why a tool may not be offered over modern HTTP: its marks for headers break the rules. */
export function headerFault(tool: Tool, rules: ParamHeaderRules): string | undefined {
  const found = findParamHeaders(tool.inputSchema, rules);
  return found.ok ? undefined : found.reason;
}
