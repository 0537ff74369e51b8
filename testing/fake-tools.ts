import type { AgentTool, ToolCallOptions, ToolSource } from '@portico/agent/provider';
import type { CallToolResult } from '@portico/spec';

export interface FakeCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: ToolCallOptions;
}

export interface FakeTool extends Partial<AgentTool> {
  readonly name: string;
  /** Default: answers `ran <name>`. */
  readonly run?: (call: FakeCall) => Promise<CallToolResult> | CallToolResult;
}

export interface FakeTools extends ToolSource {
  readonly calls: readonly FakeCall[];
}

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** Tools that record their calls. */
export function fakeTools(...tools: readonly FakeTool[]): FakeTools {
  const calls: FakeCall[] = [];
  return {
    calls,
    list: () => tools.map(({ run: _run, ...tool }) => ({ inputSchema: { type: 'object' }, ...tool })),
    call: async (name, input, options) => {
      const call = { name, input, options };
      calls.push(call);
      const run = tools.find((tool) => tool.name === name)?.run;
      return run === undefined ? textResult(`ran ${name}`) : await run(call);
    },
  };
}
