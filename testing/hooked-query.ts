import { query } from '@portico/agent';
import type { CanUseTool, HookCallback, HookInput, HookJSONOutput, Options } from '@portico/agent';
import { fakeTools } from './fake-tools.ts';
import { collect, resultOf, toolResultsOf } from './query-messages.ts';
import { createScriptedProvider } from './scripted-provider.ts';
import { call, say } from './scripted-reply.ts';
import type { ScriptedReply } from './scripted-reply.ts';

type Output = HookJSONOutput | undefined;
/** A hook that answers at once. */
export const hook =
  (output: Output | ((input: HookInput) => Output)): HookCallback =>
  (input) =>
    Promise.resolve((typeof output === 'function' ? output(input) : output) as HookJSONOutput);

export type PreOutput = {
  permissionDecision?: 'allow' | 'deny' | 'ask';
  permissionDecisionReason?: string;
  updatedInput?: Record<string, unknown>;
};
export const pre = (specific: PreOutput): HookCallback =>
  hook({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific } });

/** Runs one call of `mcp__a__t` under the given options; the callback allows what it is asked. */
export async function runHooked(
  options: Options,
  script: readonly ScriptedReply[] = [call('mcp__a__t', { cmd: 'ls' }, 't1'), say('done')],
) {
  const asked: unknown[] = [];
  const warnings: string[] = [];
  const source = fakeTools({ name: 'mcp__a__t' }, { name: 'mcp__a__u' }, { name: 'mcp__ab__t' });
  const provider = createScriptedProvider(script);
  const canUseTool: CanUseTool = (_name, input) => {
    asked.push(input);
    return Promise.resolve({ behavior: 'allow', updatedInput: input });
  };
  const messages = await collect(
    query({
      prompt: 'go',
      options: {
        canUseTool,
        stderr: (line) => warnings.push(line),
        ...options,
        portico: { provider, toolSources: [source], ...options.portico },
      },
    }),
  );
  const inputs = source.calls.map(({ input }) => input);
  return {
    asked,
    warnings,
    source,
    inputs,
    provider,
    messages,
    result: resultOf(messages),
    results: toolResultsOf(messages),
  };
}

export const before = (...hooks: HookCallback[]): Options => ({ hooks: { PreToolUse: [{ hooks }] } });
