import { ensureInstalled } from '../../tools/install.mjs';

/** Runs once before the tests with this React. */
export function setup(): void {
  ensureInstalled(import.meta.dirname);
}
