/** A class of errors. */
type ErrorClass = abstract new (...args: never[]) => unknown;

function brandOf(candidate: unknown): unknown {
  return typeof candidate === 'function' && Object.hasOwn(candidate, 'brand')
    ? (candidate as { brand?: unknown }).brand
    : undefined;
}

/**
 * The base of the error classes of all packages. The same code bundled twice into one process makes two
 * classes of each; those with a static `brand` recognise the instances of their copies by its value. A class
 * without a brand of its own, as users derive them, matches as usual.
 */
export class BrandedError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    const brand = brandOf(this);
    if (brand === undefined) return Function.prototype[Symbol.hasInstance].call(this, value);
    for (let at: unknown = value; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
      if (brandOf(at.constructor) === brand) return true;
    }
    return false;
  }

  /** As `instanceof`, to be called on the class. @throws TypeError when taken off its class */
  static isInstance<T extends ErrorClass>(this: T, value: unknown): value is InstanceType<T> {
    if (typeof this === 'function') return value instanceof this;
    throw new TypeError('isInstance is called on its class, as in SdkError.isInstance(value)');
  }
}
