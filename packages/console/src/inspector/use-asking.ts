import { useCallback, useEffect, useRef, useState } from 'react';
import { useConsole } from '../state/console-context.tsx';
import { toMcpProblem } from './mcp-problem.ts';
import type { McpProblem } from './mcp-problem.ts';

/** One question to a server, and its last answer. */
export interface Asked<Answer> {
  readonly busy: boolean;
  readonly answer?: Answer;
  readonly problem?: McpProblem;
  /** How long the last one took, milliseconds. */
  readonly tookMs?: number;
}

export interface Asking<Answer> {
  readonly asked: Asked<Answer>;
  /** A newer question leaves the answers to older ones aside. */
  readonly ask: (question: () => Promise<Answer>) => void;
}

/** Asks a server something; what was answered before stays until there is another answer. */
export function useAsking<Answer>(): Asking<Answer> {
  const { clock } = useConsole();
  const [asked, setAsked] = useState<Asked<Answer>>({ busy: false });
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current = -1;
    },
    [],
  );
  const ask = useCallback(
    (question: () => Promise<Answer>): void => {
      const mine = (newest.current += 1);
      const startedMs = clock.now();
      const settle = (outcome: Omit<Asked<Answer>, 'busy' | 'tookMs'>): void => {
        if (newest.current === mine) setAsked({ busy: false, tookMs: clock.now() - startedMs, ...outcome });
      };
      setAsked((before) => ({ ...before, busy: true }));
      question().then(
        (answer) => settle({ answer }),
        (thrown: unknown) => settle({ problem: toMcpProblem(thrown) }),
      );
    },
    [clock],
  );
  return { asked, ask };
}
