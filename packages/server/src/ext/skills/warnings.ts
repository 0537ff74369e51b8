import type { SkillWarning, SkillsOptions } from './types.ts';

/** Longest path in the default's line, characters. */
const MAX_PATH = 200;

/** Tells what is wrong; a callback that throws costs nothing but its own report. */
export type Warn = (warning: SkillWarning) => void;

export function createWarn({ onWarning }: SkillsOptions): Warn {
  return (warning) => {
    try {
      if (onWarning !== undefined) return onWarning(warning);
      // oxlint-disable-next-line no-console -- where the official SDK says it, too, unless there is a callback
      console.warn(`skills: ${warning.path.slice(0, MAX_PATH)}: ${warning.message}`);
    } catch {
      // There is nobody left to tell.
    }
  };
}
