/** One step of ending a child; the next one follows after `waitMs` unless everything is gone. */
export type StopStep =
  | { readonly do: 'close_input'; readonly waitMs: number }
  | { readonly do: 'signal_group'; readonly signal: 'SIGTERM' | 'SIGKILL'; readonly waitMs: number }
  | {
      readonly do: 'run';
      readonly command: string;
      readonly args: readonly string[];
      readonly waitMs: number;
    };

/** How long each stage of a stop may take, milliseconds. */
export interface StopWaits {
  /** After the child's input was closed; 2,000 by default. */
  readonly closeInputMs: number;
  /** After the polite request to end; 2,000 by default. */
  readonly terminateMs: number;
  /** After the kill, for the system to collect the processes; 2,000 by default. */
  readonly killMs: number;
}

export const DEFAULT_STOP_WAITS: StopWaits = {
  closeInputMs: 2_000,
  terminateMs: 2_000,
  killMs: 2_000,
};

/** The part of a plan that follows when the child's input is closed already or the child has died. */
function planForce(platform: NodeJS.Platform, pid: number, waits: StopWaits): readonly StopStep[] {
  if (platform === 'win32') {
    const tree = ['/pid', String(pid), '/T'];
    return [
      { do: 'run', command: 'taskkill', args: tree, waitMs: waits.terminateMs },
      { do: 'run', command: 'taskkill', args: [...tree, '/F'], waitMs: waits.killMs },
    ];
  }
  return [
    { do: 'signal_group', signal: 'SIGTERM', waitMs: waits.terminateMs },
    { do: 'signal_group', signal: 'SIGKILL', waitMs: waits.killMs },
  ];
}

/** The orderly end of a child: its input closes, then the group is asked, then it is killed (K31). */
export function planStop(
  platform: NodeJS.Platform,
  pid: number,
  waits: StopWaits = DEFAULT_STOP_WAITS,
): readonly StopStep[] {
  return [{ do: 'close_input', waitMs: waits.closeInputMs }, ...planForce(platform, pid, waits)];
}

/** The end of what a child left behind when it went by itself. */
export function planSweep(
  platform: NodeJS.Platform,
  pid: number,
  waits: StopWaits = DEFAULT_STOP_WAITS,
): readonly StopStep[] {
  // Windows forgets the tree with its root, so there is nothing left to address by it.
  return platform === 'win32' ? [] : planForce(platform, pid, waits);
}
