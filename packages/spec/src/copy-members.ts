/** An object that is being built member by member. */
export type Building = { [key: string]: unknown };

/**
 * Copies the members of `source` that `skip` does not name. A loop over known members beats object
 * spread by far on mixed shapes, and a member called `__proto__` stays data.
 */
export function copyMembers(target: Building, source: object, skip?: (key: string) => boolean): Building {
  for (const key in source) {
    if (!Object.hasOwn(source, key) || skip?.(key) === true) continue;
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
