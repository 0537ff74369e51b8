import type { CallToolResult, Tool } from '@portico/spec';
import type { ViewBridge } from '../bridge/view-bridge.ts';
import { isRecord } from '../records.ts';

/** The tool call that a view shows, as far as it has come. */
export interface ViewCall {
  readonly id: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly result?: unknown;
  readonly problem?: { readonly message: string } | undefined;
}

/** One rendered instance of an MCP App, as the host's API hands it out. */
export interface ViewSession {
  readonly viewId: string;
  /** Address of the sandbox document, on the connector's own origin. */
  readonly url: string;
  /** `opaque` where no sandbox host can be reached: the view then has no storage of its own. */
  readonly origin: string;
  readonly connectorName: string;
  readonly call: ViewCall;
  /** Definition of the called tool, as the server lists it. */
  readonly tool: { readonly name: string; readonly [key: string]: unknown };
  /** Browser features granted to the frame, as an `allow` attribute. */
  readonly allow: string;
}

/** States in which a call has ended without an answer for its view. */
const ENDED_WITHOUT_RESULT = new Set(['failed', 'denied', 'cancelled', 'unknown']);

/** Tells the bridge whatever of a call it does not know yet; telling it again changes nothing. */
export function deliverCall(bridge: ViewBridge, call: ViewCall): void {
  bridge.sendToolInput(call.arguments);
  if (call.result !== undefined) bridge.sendToolResult(call.result as CallToolResult);
  else if (ENDED_WITHOUT_RESULT.has(call.status))
    bridge.sendToolCancelled(call.problem?.message ?? call.status);
}

/** A definition as a view is told it: its side refuses a whole handshake for one without a schema. */
export function toolAsTold(tool: { readonly name: string; readonly inputSchema?: unknown }): Tool {
  const { inputSchema } = tool;
  const schema = isRecord(inputSchema) && inputSchema['type'] === 'object' ? inputSchema : { type: 'object' };
  return { ...tool, inputSchema: schema } as unknown as Tool;
}

/** What the view is told of the call that opened it. */
export function toolInfoOf(session: ViewSession): { id: string; tool: Tool } {
  return { id: session.call.id, tool: toolAsTold(session.tool) };
}
