import { useCallback, useState } from 'react';
import { toConsoleError } from '../errors.ts';
import type { ConsoleError } from '../errors.ts';

export interface Action {
  readonly busy: boolean;
  readonly error: ConsoleError | undefined;
  /** Runs the work once at a time; a failure ends in `error`. Answers whether it succeeded. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly clear: () => void;
}

/** One thing a person can do at a time, with its failure kept where it was asked for. */
export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; error: ConsoleError | undefined }>({
    busy: false,
    error: undefined,
  });
  const run = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    setState({ busy: true, error: undefined });
    try {
      await work();
      setState({ busy: false, error: undefined });
      return true;
    } catch (thrown) {
      setState({ busy: false, error: toConsoleError(thrown) });
      return false;
    }
  }, []);
  const clear = useCallback(() => setState({ busy: false, error: undefined }), []);
  return { ...state, run, clear };
}
