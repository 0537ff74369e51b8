import type {
  MarkedProcess,
  ProcessList,
  SeenProcess,
  Signals,
} from '../packages/host/src/children/process-list.ts';

/** A process of a system that is made up. */
export type FakeProcess = Pick<MarkedProcess, 'pid'> &
  Partial<MarkedProcess> & {
    /** SIGTERM does not end it. */
    readonly deaf?: boolean;
    /** Nor does SIGKILL, as while a device does not answer. */
    readonly stuck?: boolean;
  };

/** A system that is made up, with a host in it, for tests of who is ended and who is left alone. */
export interface FakeSystem {
  readonly processes: ProcessList;
  readonly signals: Signals;
  /** `SIGNAL group` of each that was sent. */
  readonly sent: readonly string[];
  readonly alive: readonly number[];
  run(...processes: readonly FakeProcess[]): void;
  end(pid: number): void;
  /** What happens between the reading of all processes and the look at one of them. */
  onlook: ((pid: number) => void) | undefined;
}

/** Number of the host, which is in session 90 and at the place `here`. */
export const HOST_PID = 100;

const DEFAULTS = { parent: 1, startedAt: 'today', over: false, mark: undefined, place: 'here' };

/** @param tells whether it tells who its processes are */
export function createFakeSystem({ tells = true }: { readonly tells?: boolean } = {}): FakeSystem {
  const living = new Map<number, MarkedProcess & FakeProcess>();
  const sent: string[] = [];
  const run = (...processes: readonly FakeProcess[]): void => {
    for (const given of processes) {
      const { pid } = given;
      living.set(pid, { ...DEFAULTS, group: pid, session: given.group ?? pid, ...given });
    }
  };
  const look = (pid: number): SeenProcess | undefined => {
    system.onlook?.(pid);
    return living.get(pid);
  };
  run({ pid: 1, startedAt: 'boot' }, { pid: 90 }, { pid: HOST_PID, parent: 90, session: 90 });
  const system: FakeSystem = {
    processes: {
      self: tells ? living.get(HOST_PID) : undefined,
      read: () => Promise.resolve(tells ? [...living.values()] : undefined),
      look: (pid) => (tells ? look(pid) : undefined),
    },
    signals: {
      toGroup(group, signal) {
        sent.push(`${signal} ${group}`);
        for (const process of living.values()) {
          if (process.group !== group || process.stuck === true) continue;
          if (signal === 'SIGKILL' || process.deaf !== true) living.delete(process.pid);
        }
      },
    },
    sent,
    get alive() {
      return [...living.keys()].filter((pid) => ![1, 90, HOST_PID].includes(pid));
    },
    run,
    end: (pid) => void living.delete(pid),
    onlook: undefined,
  };
  return system;
}
