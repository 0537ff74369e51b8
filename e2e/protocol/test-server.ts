import type { ServerContext } from '@portico/server';
import { McpServer } from '@portico/server';
import { z } from 'zod';

/** What happened to the tools of a {@link createTestServer}. */
export interface Seen {
  /** Names of the tools that ran, in order. */
  readonly runs: string[];
  /** Reasons of signals that fired in `wait`. */
  readonly stopped: unknown[];
  /** Lets every waiting `wait` go on. */
  release(): void;
}

export interface TestServer {
  readonly seen: Seen;
  readonly make: () => McpServer;
}

const text = (value: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: value }],
});

/** A server whose tools do what the rows of the protocol's list need done. */
export function createTestServer(
  tools: Readonly<Record<string, (context: ServerContext) => unknown>> = {},
): TestServer {
  const waiting = new Set<() => void>();
  const seen: Seen = {
    runs: [],
    stopped: [],
    release: () => {
      for (const go of waiting) go();
      waiting.clear();
    },
  };
  const make = (): McpServer => {
    const server = new McpServer({ name: 'rows', version: '1' }, { capabilities: { logging: {} } });
    server.registerTool('echo', { inputSchema: z.object({ value: z.string() }) }, ({ value }) => {
      seen.runs.push('echo');
      return text(value);
    });
    server.registerTool('wait', {}, async (context) => {
      seen.runs.push('wait');
      const { signal } = context.mcpReq;
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        signal.addEventListener('abort', () => {
          seen.stopped.push(signal.reason);
          resolve();
        });
      });
      return text('waited');
    });
    for (const [name, run] of Object.entries(tools)) {
      server.registerTool(name, {}, async (context) => {
        seen.runs.push(name);
        const outcome = await run(context);
        return typeof outcome === 'string' ? text(outcome) : (outcome as ReturnType<typeof text>);
      });
    }
    return server;
  };
  return { seen, make };
}

/** Lets the event loop turn until something holds; throws when it never does. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  // Other processes may have a part in it, and the machine other work.
  const endMs = performance.now() + 20_000;
  while (performance.now() < endMs) {
    if (holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new TypeError(`never came: ${what}`);
}

/** An order for anything that is compared without its own. */
export function byText(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : 1;
}
