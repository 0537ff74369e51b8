import { controlClient } from '../control/control-client.ts';
import type { ControlClient } from '../control/control-client.ts';
import { controlPath } from '../control/control-path.ts';
import { HostError, isHostError } from '../errors.ts';
import type { CommandContext } from './context.ts';
import { dataPath } from './data-path.ts';

/** The host that runs on the data folder of a command. */
export interface RunningHost {
  readonly dataFolder: string;
  /**
   * Asks it something. Throws HostError `not_running` when none answers; warns when its version is
   * another one than the command's.
   */
  ask<T>(question: (client: ControlClient) => Promise<T>): Promise<T>;
}

export function runningHost(data: string | undefined, context: CommandContext): RunningHost {
  const dataFolder = dataPath(data, context);
  const client = controlClient({
    path: controlPath(dataFolder, context.platform),
    onVersion(version) {
      if (version === context.version) return;
      context.terminal.err(
        `warning: the running portico has version ${version}, this command ${context.version}`,
      );
    },
  });
  return {
    dataFolder,
    async ask(question) {
      try {
        return await question(client);
      } catch (error) {
        if (!isHostError(error, 'control_unreachable')) throw error;
        throw new HostError('not_running', {
          message: `portico is not running on ${dataFolder}`,
          data: { path: dataFolder, remedy: 'start it with: portico serve' },
          cause: error,
        });
      }
    },
  };
}
