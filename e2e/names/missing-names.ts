/** Names of another kind than the official ones, each with the reason. */
export const DIFFERENT_KINDS: Readonly<Record<string, 'class' | 'function' | 'constant'>> = {};

/** Names that are still to be built, by entry; this list only shrinks. */
export const NOT_YET_NAMES: Readonly<Record<string, readonly string[]>> = {};
