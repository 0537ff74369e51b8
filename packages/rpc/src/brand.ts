/** A class that copies of itself from other bundles are recognised by. */
type AnyClass = abstract new (...args: never[]) => unknown;

function ownBrand(candidate: unknown): string | undefined {
  if (typeof candidate !== 'function' || !Object.hasOwn(candidate, 'brand')) return undefined;
  const { brand } = candidate as { brand?: unknown };
  return typeof brand === 'string' ? brand : undefined;
}

/**
 * Whether the value is an instance of the class or of a copy of it: the same code bundled twice
 * into one process makes two classes, whose static `brand` is equal. A class without a brand of
 * its own, as users derive them, is matched as usual.
 */
export function isInstanceOf(type: AnyClass, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const brand = ownBrand(type);
  if (brand === undefined) return Function.prototype[Symbol.hasInstance].call(type, value);
  for (let at: unknown = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    if (ownBrand((at as { constructor?: unknown }).constructor) === brand) return true;
  }
  return false;
}

/**
 * The `isInstance` of branded classes.
 * @throws TypeError when it was taken off its class, where it could match nothing
 */
export function isInstanceOfThis(type: unknown, value: unknown): boolean {
  if (typeof type === 'function') return isInstanceOf(type as unknown as AnyClass, value);
  throw new TypeError('isInstance is called on its class, as in SdkError.isInstance(value)');
}
