/**
 * Keeps account of children, so that what they leave running is found and ended, even after this process
 * has died (K31). None of the members may throw or reject: a child is started whether or not somebody
 * keeps account of it.
 */
export interface ChildKeeper {
  /**
   * A child is about to be started; it is, once this resolves.
   *
   * @param command the program, without its arguments
   */
  expect(command: string): Promise<KeptChild>;
}

/** One child that somebody keeps account of. */
export interface KeptChild {
  /** Variables that the child gets over its own. */
  readonly env: Readonly<Record<string, string>>;
  /** The child runs and leads a group of its own; called before anybody waits for its end. */
  started(pid: number): void;
  /**
   * The child was not started, or it has ended and its group was told to. Resolves when nothing that it
   * started is left, or cannot be ended.
   */
  ended(): Promise<void>;
}
