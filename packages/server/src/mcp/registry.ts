import { ServerError } from '../errors.ts';

/** One entry's handle: it can be switched, replaced, renamed and taken out. */
export interface Registration<Value> {
  readonly key: string;
  readonly value: Value;
  readonly enabled: boolean;
  /** Applies changes together and announces them once. A key of null takes the entry out. */
  change(changes: Changes<Value>): void;
}

interface Changes<Value> {
  readonly key?: string | null | undefined;
  readonly value?: Value | undefined;
  readonly enabled?: boolean | undefined;
}

class Entry<Value> implements Registration<Value> {
  key: string;
  value: Value;
  enabled = true;
  readonly #apply: (entry: Entry<Value>, changes: Changes<Value>) => void;

  constructor(key: string, value: Value, apply: (entry: Entry<Value>, changes: Changes<Value>) => void) {
    this.key = key;
    this.value = value;
    this.#apply = apply;
  }

  change(changes: Changes<Value>): void {
    this.#apply(this, changes);
  }
}

/**
 * Named things in the order of their registration, with every change announced. Disabled entries
 * keep their place and name but cannot be found.
 */
export class Registry<Value> {
  #entries = new Map<string, Entry<Value>>();
  #revision = 0;
  readonly #kind: string;
  readonly #onchange: () => void;
  readonly #apply = (entry: Entry<Value>, changes: Changes<Value>): void => this.#change(entry, changes);

  /** @param kind what the entries are, for error texts */
  constructor(kind: string, onchange: () => void) {
    this.#kind = kind;
    this.#onchange = onchange;
  }

  /** Counts changes; equal revisions mean equal content. */
  get revision(): number {
    return this.#revision;
  }

  /** @throws ServerError `ALREADY_REGISTERED` */
  add(key: string, value: Value): Registration<Value> {
    this.#assertFree(key);
    const entry = new Entry(key, value, this.#apply);
    this.#entries.set(key, entry);
    this.#changed();
    return entry;
  }

  /** An enabled entry by name. */
  find(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry?.enabled === true ? entry.value : undefined;
  }

  /** All enabled entries, in order of registration. */
  list(): { readonly key: string; readonly value: Value }[] {
    return [...this.#entries.values()].filter((entry) => entry.enabled);
  }

  #change(entry: Entry<Value>, changes: Changes<Value>): void {
    if (this.#entries.get(entry.key) !== entry) return;
    if (changes.key === null) {
      this.#entries.delete(entry.key);
      entry.enabled = false;
      this.#changed();
      return;
    }
    if (changes.key !== undefined && changes.key !== entry.key) this.#rename(entry, changes.key);
    if (changes.value !== undefined) entry.value = changes.value;
    if (changes.enabled !== undefined) entry.enabled = changes.enabled;
    this.#changed();
  }

  /** Keeps the order: lists stay as stable as their content. */
  #rename(entry: Entry<Value>, key: string): void {
    this.#assertFree(key);
    entry.key = key;
    this.#entries = new Map([...this.#entries.values()].map((each) => [each.key, each]));
  }

  #assertFree(key: string): void {
    if (!this.#entries.has(key)) return;
    throw new ServerError('ALREADY_REGISTERED', {
      message: `a ${this.#kind} called ${key} is registered already`,
      data: { kind: this.#kind, name: key },
    });
  }

  #changed(): void {
    this.#revision += 1;
    this.#onchange();
  }
}
