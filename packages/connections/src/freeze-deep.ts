/** Keeps readers from writing to what others read, too. Parsed JSON only; deep nesting is no matter. */
export function freezeDeep<T>(value: T): T {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const member of Object.values(next)) waiting.push(member);
  }
  return value;
}
