import type { Clock } from '@portico/rpc';
import type { McpServer } from '@portico/server';
import { z } from 'zod';
import { pause } from './pause.ts';

const DEFAULT_STEPS = 10;
const MAX_STEPS = 120;
const DEFAULT_STEP_MS = 500;
const MAX_STEP_MS = 5000;

/** Tools that show how a host behaves when a call is slow, and when it fails. */
export function registerTryOutTools(server: McpServer, clock: Clock): void {
  registerSlowCount(server, clock);
  server.registerTool(
    'fail_on_purpose',
    {
      title: 'Fail on purpose',
      description: 'Always fails, so that one can see what a failure looks like.',
      inputSchema: z.object({
        reason: z
          .string()
          .max(200)
          .default('The lighthouse keeper is asleep.')
          .describe('What the error says'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ reason }) => ({ content: [{ type: 'text', text: reason }], isError: true }),
  );
}

function registerSlowCount(server: McpServer, clock: Clock): void {
  server.registerTool(
    'count_slowly',
    {
      title: 'Count slowly',
      description: 'Counts up step by step, reporting progress. Can be stopped at any time.',
      inputSchema: z.object({
        steps: z.number().int().min(1).max(MAX_STEPS).default(DEFAULT_STEPS).describe('How far to count'),
        stepMs: z
          .number()
          .int()
          .min(1)
          .max(MAX_STEP_MS)
          .default(DEFAULT_STEP_MS)
          .describe('Milliseconds a step'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ steps, stepMs }, { mcpReq }) => {
      const { signal } = mcpReq;
      for (let step = 1; step <= steps; step++) {
        if (!(await pause(clock, stepMs, signal))) {
          return {
            content: [{ type: 'text', text: `Stopped before ${String(step)}.` }],
            isError: true,
          };
        }
        mcpReq.progress({ progress: step, total: steps, message: `Counted to ${String(step)}` });
      }
      return { content: [{ type: 'text', text: `Counted to ${String(steps)}.` }] };
    },
  );
}
