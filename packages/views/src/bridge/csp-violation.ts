import type { CspViolation } from './handlers.ts';

/** How a document that was written here tells what its policy kept it from; no method of MCP Apps. */
export const CSP_VIOLATION_METHOD = 'ui/notifications/portico-csp-violation';

const MAX_LENGTH = 500;

/** What a document said of a violation, bounded. */
export function readCspViolation(params: Readonly<Record<string, unknown>> | undefined): CspViolation {
  const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_LENGTH) : '');
  return { directive: text(params?.['directive']), blockedUri: text(params?.['blockedUri']) };
}
