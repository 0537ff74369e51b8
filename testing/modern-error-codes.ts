import { hasEnvelope } from '@portico/spec';

/** Every number that an error of a modern wire may have, of those that JSON-RPC keeps from applications. */
const DEFINED: ReadonlySet<unknown> = new Set([
  -32_700, -32_600, -32_601, -32_602, -32_603, -32_020, -32_021, -32_022,
]);

/** Whether modern wires may carry an error with this number. */
export function isModernCode(code: unknown): boolean {
  if (typeof code !== 'number' || !Number.isInteger(code)) return false;
  return DEFINED.has(code) || code < -32_768 || code > -32_000;
}

/**
 * Looks at what answered a modern request, in every test that sends one by hand.
 * @throws TypeError when it is an error with a number that modern wires do not have
 */
export function checkModernAnswer(sent: unknown, answers: readonly unknown[]): void {
  if (typeof sent !== 'object' || sent === null || !hasEnvelope((sent as { params?: object }).params)) return;
  for (const answer of answers) {
    const error = (answer as { error?: string | { code?: unknown } } | null)?.error;
    // Refusals of authorization have a body of OAuth's own, where the error is a word.
    if (error === undefined || typeof error === 'string' || isModernCode(error.code)) continue;
    throw new TypeError(`${String(error.code)} is no error of modern wires`);
  }
}
