import type { SignInAttempt, SignInStep } from '@portico/api';

/** Names and values of a step's detail in one line. */
export function detailText(detail: NonNullable<SignInStep['detail']>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join(' · ');
}

const line = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' | ');

/**
 * An attempt as it is pasted into a report: in English whatever the page speaks, and without the names
 * that only this host knows it by.
 */
export function attemptText({ startedAtMs, steps, status, cause, message }: SignInAttempt): string {
  const started = new Date(startedAtMs).toISOString();
  const lines = steps.map(({ atMs, step, outcome, method, url, status: answered, detail }) =>
    line([
      `+${atMs - startedAtMs} ms`,
      step,
      outcome,
      url === undefined ? undefined : `${method ?? ''} ${url}`.trim(),
      answered === undefined ? undefined : String(answered),
      detail === undefined ? undefined : detailText(detail),
    ]),
  );
  return [`Sign-in of ${started}`, ...lines, line([status, cause, message])].join('\n');
}
