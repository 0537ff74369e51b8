/** True for an object that is neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member when it is such an object. */
export function recordAt(value: unknown, key: string): Record<string, unknown> | undefined {
  const member = isRecord(value) ? value[key] : undefined;
  return isRecord(member) ? member : undefined;
}
