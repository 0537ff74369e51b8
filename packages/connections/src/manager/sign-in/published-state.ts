import { sameValue } from '../../same-value.ts';
import type { SignInState } from './sign-in-parts.ts';

/** Parts of a state; undefined for those that are not there. */
export type StateParts = { readonly [Name in keyof SignInState]: SignInState[Name] | undefined };

/** A state that is told when it is another one. */
export class PublishedState {
  readonly #told: () => void;
  #value: SignInState = { flow: 'none' };
  #isClosed = false;
  #quiet = 0;

  /** @param told must not throw */
  constructor(told: () => void) {
    this.#told = told;
  }

  get value(): SignInState {
    return this.#value;
  }

  /** Takes the parts over, and tells it if that changes anything, unless `silent`. */
  put(parts: Partial<StateParts>, { silent = false }: { readonly silent?: boolean } = {}): void {
    if (this.#isClosed) return;
    const all = Object.entries({ ...this.#value, ...parts });
    const next = Object.fromEntries(all.filter(([, value]) => value !== undefined)) as unknown as SignInState;
    if (sameValue(next, this.#value)) return;
    this.#value = next;
    if (!silent && this.#quiet === 0) this.#told();
  }

  /** Tells nothing until it returns; what follows tells the whole. */
  quietly<T>(run: () => T): T {
    this.#quiet += 1;
    try {
      return run();
    } finally {
      this.#quiet -= 1;
    }
  }

  /** Changes and tells nothing any more. */
  close(): void {
    this.#isClosed = true;
  }
}
