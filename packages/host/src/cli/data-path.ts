import { resolve } from 'node:path';
import { defaultDataFolder } from '../data-folder/default-folder.ts';
import type { CommandContext } from './context.ts';

/** The data folder that a command works on: `--data`, else PORTICO_DATA, else the platform's place. */
export function dataPath(option: string | undefined, context: CommandContext): string {
  const { environment, platform, home } = context;
  const { dataFolder, xdgDataHome, localAppData } = environment;
  return resolve(option ?? dataFolder ?? defaultDataFolder({ platform, home, xdgDataHome, localAppData }));
}
