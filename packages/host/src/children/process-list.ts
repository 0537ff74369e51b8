/** A process at one moment. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Opaque; together with the number it names one process of all times. */
  readonly startedAt: string;
  /** It has ended, and only nobody has collected it yet. */
  readonly over: boolean;
}

/** A process with what it was given when its program was started. */
export interface MarkedProcess extends SeenProcess {
  /** Value of `CHILD_VARIABLE` in its environment; undefined without one, or where it may not be read. */
  readonly mark: string | undefined;
  /** Opaque; the same for processes that the system's service manager keeps together. */
  readonly place: string;
}

/** Variable by which what a child starts is known. */
export const CHILD_VARIABLE = 'PORTICO_CHILD';

/** The system's processes, as far as it tells of them; replaced in tests. */
export interface ProcessList {
  /** This process; undefined where the system does not tell enough to prove who a process is. */
  readonly self: MarkedProcess | undefined;
  /** All of them, those of others too; undefined where the system does not tell. */
  read(): Promise<readonly MarkedProcess[] | undefined>;
  /** One of them as it is right now. */
  look(pid: number): SeenProcess | undefined;
}

/** Sends signals; replaced in tests. */
export interface Signals {
  /** To every process of the group. Must not throw. */
  toGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** The system's own way. */
export function createSignals(): Signals {
  return {
    toGroup(group, signal) {
      try {
        process.kill(-group, signal);
      } catch {
        // It has ended meanwhile, or belongs to another user; whoever asked looks at what is left.
      }
    },
  };
}
