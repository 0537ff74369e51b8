/** Thrown through an engine when a check has taken too many steps; never leaves this package. */
class OutOfSteps extends RangeError {}

/** Counts what one check costs, so that no schema and value together can keep it going. */
export class StepBudget {
  readonly #maxSteps: number;
  #left = 0;

  constructor(maxSteps: number) {
    this.#maxSteps = maxSteps;
  }

  restart(): void {
    this.#left = this.#maxSteps;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfSteps('too many steps');
  }
}

/** Entries of one keyword that are looked at in the time of one step. */
const ENTRIES_A_STEP = 16;

/** What looking at one schema costs, without the schemas in it. */
export function stepsOf(schema: Readonly<Record<string, unknown>>): number {
  let entries = 0;
  for (const key of ['enum', 'required', 'properties', 'type'] as const) {
    const value = schema[key];
    if (Array.isArray(value)) entries += value.length;
    else if (typeof value === 'object' && value !== null) entries += Object.keys(value).length;
  }
  return 1 + Math.floor(entries / ENTRIES_A_STEP);
}

/** What a value gets to hear when its check was given up. */
export const TOO_MANY_STEPS = 'checking it takes too long';
