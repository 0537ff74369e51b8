import { HostError } from '../errors.ts';

/** Where a command writes: answers on `out`, everything else on `err`. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

/** Control characters but tab and line end, and characters that change the direction of text or hide. */
const UNSAFE = /(?![\t\n])[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Makes text from outside harmless for a terminal: what cannot be seen is written out (K146). */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** A terminal over two writable streams, whose every text is made harmless. */
export function createTerminal(out: NodeJS.WritableStream, err: NodeJS.WritableStream): Terminal {
  // Whoever read the output may be gone; that is no reason to end.
  for (const stream of [out, err]) stream.on('error', () => {});
  return {
    out: (text) => void out.write(`${printable(text)}\n`),
    err: (text) => void err.write(`${printable(text)}\n`),
  };
}

/** Prints one JSON value on `out`, as `--json` promises (K139). */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.out(JSON.stringify(value));
}

/** Prints why a command failed: a sentence and a remedy, or one line of JSON. */
export function printFailure(terminal: Terminal, error: unknown, json: boolean): void {
  const failure = asHostError(error);
  const { remedy, path, ...facts } = failure.data;
  if (json) {
    const cause = failure.cause instanceof Error ? failure.cause.message : undefined;
    terminal.err(
      JSON.stringify({
        error: { code: failure.code, message: failure.message, cause, where: path, remedy, ...facts },
      }),
    );
    return;
  }
  terminal.err(`portico: ${failure.message}`);
  const issues = failure.data['issues'];
  if (Array.isArray(issues)) for (const issue of issues as readonly string[]) terminal.err(`  ${issue}`);
  if (remedy !== undefined) terminal.err(`  ${remedy}`);
}

/** Whatever was thrown, as an error with a code. */
export function asHostError(error: unknown): HostError {
  if (error instanceof HostError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new HostError('unexpected', {
    message: `something failed that should not: ${message}`,
    cause: error,
  });
}
