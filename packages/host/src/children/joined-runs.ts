/**
 * Runs a piece of work so that whoever asks while it runs gets the run after that one, together with all
 * others who asked meanwhile: each gets a run that began after it asked, and no two runs overlap.
 */
export function joinRuns<T>(work: () => Promise<T>): () => Promise<T> {
  let present: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= present.then(() => {
      next = undefined;
      const run = work();
      present = run.catch(() => undefined);
      return run;
    });
    return next;
  };
}
