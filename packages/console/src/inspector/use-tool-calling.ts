import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import { LOG_LEVEL_META_KEY } from '@portico/spec';
import type { CallToolResult } from '@portico/spec';
import { useEffect, useRef, useState } from 'react';
import { useConsole } from '../state/console-context.tsx';
import { toMcpProblem } from './mcp-problem.ts';
import type { McpProblem } from './mcp-problem.ts';

/** A call goes on this long without progress, and this long in all, milliseconds: as the host's own calls. */
const SILENCE_MS = 300_000;
const TOTAL_MS = 3_600_000;

type Progress = Parameters<NonNullable<NonNullable<Parameters<McpServer['callTool']>[2]>['onProgress']>>[0];

interface Ended {
  readonly startedMs: number;
  readonly endedMs: number;
}

/** One try of a tool, from before it began to what became of it. */
export type Trial =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly startedMs: number; readonly progress?: Progress }
  | ({ readonly phase: 'answered'; readonly result: CallToolResult } & Ended)
  | ({ readonly phase: 'failed'; readonly problem: McpProblem } & Ended)
  | ({ readonly phase: 'cancelled' } & Ended);

export interface ToolCalling {
  readonly trial: Trial;
  /** Whether the server can be called now. */
  readonly ready: boolean;
  /** Calls the tool; one call at a time. */
  readonly run: (values: Record<string, unknown>) => void;
  readonly cancel: () => void;
}

const callOf = (server: McpServer | undefined): McpServer['callTool'] | undefined =>
  server?.state === 'ready' ? server.callTool : undefined;

/** Calls one tool for the person who looks at it. A call that nobody looks at any more is cancelled. */
export function useToolCalling(connectorId: string, tool: string): ToolCalling {
  const { clock } = useConsole();
  const callTool = useMcpServer(connectorId, callOf);
  const [trial, setTrial] = useState<Trial>({ phase: 'idle' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (values: Record<string, unknown>): Promise<void> => {
    if (callTool === undefined || running.current !== null) return;
    const mine = new AbortController();
    running.current = mine;
    const startedMs = clock.now();
    setTrial({ phase: 'running', startedMs });
    const options = {
      signal: mine.signal,
      timeout: SILENCE_MS,
      maxTotalTimeout: TOTAL_MS,
      resetTimeoutOnProgress: true,
      onProgress: (progress: Progress) => setTrial({ phase: 'running', startedMs, progress }),
      meta: { [LOG_LEVEL_META_KEY]: 'debug' },
    };
    const outcome = await callTool(tool, values, options).then(
      (result) => ({ phase: 'answered', result }) as const,
      (thrown: unknown) =>
        mine.signal.aborted
          ? ({ phase: 'cancelled' } as const)
          : ({ phase: 'failed', problem: toMcpProblem(thrown) } as const),
    );
    running.current = null;
    setTrial({ ...outcome, startedMs, endedMs: clock.now() });
  };
  return {
    trial,
    ready: callTool !== undefined,
    run: (values) => void run(values),
    cancel: () => running.current?.abort(),
  };
}
