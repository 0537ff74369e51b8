import { createClaudeRoot } from '../packages/frames/src/kernel/claude-root.ts';
import type { ClaudeRoot } from '../packages/frames/src/kernel/claude-root.ts';
import { METHODS } from '../packages/frames/src/wire.ts';
import { createManualClock } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';

/** A request as the kernel wrote it. */
export interface SentMessage {
  readonly id?: number;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** A kernel with the shell in the test's hand. */
export interface KernelHarness {
  readonly claude: ClaudeRoot;
  readonly mcp: NonNullable<ClaudeRoot['mcp']>;
  readonly clock: ManualClock;
  /** Everything the kernel has posted. */
  readonly sent: readonly SentMessage[];
  init(params?: Record<string, unknown>): void;
  /** Posts anything to the kernel. */
  post(message: unknown): void;
  reply(id: number | undefined, result: unknown): void;
  fail(id: number | undefined, data: unknown): void;
}

const ALL_METHODS = Object.values(METHODS);

export function createKernelHarness(): KernelHarness {
  const clock = createManualClock();
  const sent: SentMessage[] = [];
  let receive: (text: unknown) => void = () => undefined;
  const claude = createClaudeRoot({
    mcp: true,
    clock: {
      now: () => clock.now(),
      setTimer(delayMs, run) {
        const timer = clock.setTimer(delayMs, run);
        return () => timer.cancel();
      },
    },
    port: {
      post: (text) => void sent.push(JSON.parse(text) as SentMessage),
      receive(listener) {
        receive = listener;
      },
    },
  });
  if (claude.mcp === undefined) throw new Error('the harness declares the use of connectors');
  const post = (message: unknown): void => receive(JSON.stringify(message));
  return {
    claude,
    mcp: claude.mcp,
    clock,
    sent,
    post,
    init(params = {}) {
      const defaults = { granted: true, bridge: true, methods: ALL_METHODS };
      post({ jsonrpc: '2.0', method: 'frame/init', params: { ...defaults, ...params } });
    },
    reply: (id, result) => post({ jsonrpc: '2.0', id, result }),
    fail: (id, data) => post({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'x', data } }),
  };
}

/** How a promise stands after everything due now has settled. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  const pending = Symbol('pending');
  const turns = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(pending))));
  const outcome = await Promise.race([
    promise.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    ),
    turns,
  ]);
  return outcome === pending ? 'pending' : outcome;
}

/** The code that a promise rejects with; fails when it does anything else. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await outcomeOf(promise);
  if (typeof outcome === 'object' && outcome !== null && 'error' in outcome) {
    return (outcome.error as { code?: unknown }).code;
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(outcome)}`);
}
