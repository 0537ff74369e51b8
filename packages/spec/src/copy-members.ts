/** An object that is being built member by member. */
export type Building = { [key: string]: unknown };

/**
 * Copies the members of `source` but for those that `skip` names: one by its name, or all that it is true
 * of. A loop over known members beats object spread by far on mixed shapes, and a member called `__proto__`
 * stays data.
 */
export function copyMembers(
  target: Building,
  source: object,
  skip?: string | ((key: string) => boolean),
): Building {
  for (const key in source) {
    if (key === skip || !Object.hasOwn(source, key)) continue;
    if (typeof skip === 'function' && skip(key)) continue;
    const value = (source as Building)[key];
    if (key !== '__proto__') target[key] = value;
    else {
      Object.defineProperty(target, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return target;
}
