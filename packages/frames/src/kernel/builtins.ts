// oxlint-disable typescript/unbound-method -- taking methods off their objects is the purpose here
/**
 * The built-ins that the kernel uses, taken before author code can replace them. Author code that
 * tampers with prototypes later breaks itself, not the kernel.
 */

type Method<Self, Args extends unknown[], Result> = (self: Self, ...args: Args) => Result;

/** Turns a method into a function of its receiver that looks nothing up when called. */
function uncurryThis<Self, Args extends unknown[], Result>(
  method: (this: Self, ...args: Args) => Result,
): Method<Self, Args, Result> {
  return Function.prototype.call.bind(method) as Method<Self, Args, Result>;
}

/** The getter of an accessor, as such a function. */
function getterOf<Self extends object, Result>(prototype: Self, key: keyof Self): Method<Self, [], Result> {
  const getter = Object.getOwnPropertyDescriptor(prototype, key)?.get as (this: Self) => Result;
  return uncurryThis(getter);
}

const create: typeof Object.create = Object.create;
export const defineProperty: typeof Object.defineProperty = Object.defineProperty;
export const descriptorOf: typeof Object.getOwnPropertyDescriptor = Object.getOwnPropertyDescriptor;
export const freeze: typeof Object.freeze = Object.freeze;
export const hasOwn: typeof Object.hasOwn = Object.hasOwn;
export const keysOf: typeof Object.keys = Object.keys;
export const prototypeOf: typeof Object.getPrototypeOf = Object.getPrototypeOf;
export const isArray: typeof Array.isArray = Array.isArray;
export const parseJson: typeof JSON.parse = JSON.parse;
export const quoteJson: typeof JSON.stringify = JSON.stringify;
export const clone: typeof structuredClone = structuredClone;
export const isFiniteNumber: typeof Number.isFinite = Number.isFinite;
export const SavedPromise: PromiseConstructor = Promise;
export const SavedError: ErrorConstructor = Error;
export const SavedTypeError: TypeErrorConstructor = TypeError;
export const microtask: typeof queueMicrotask = queueMicrotask.bind(globalThis);

export const messageData: Method<MessageEvent, [], unknown> = getterOf(MessageEvent.prototype, 'data');
export const postText: Method<MessagePort, [string], void> = uncurryThis<MessagePort, [string], void>(
  MessagePort.prototype.postMessage,
);

export const isAborted: Method<AbortSignal, [], boolean> = getterOf(AbortSignal.prototype, 'aborted');
export const listen: Method<EventTarget, [string, () => void], void> = uncurryThis(
  EventTarget.prototype.addEventListener,
);
export const unlisten: Method<EventTarget, [string, () => void], void> = uncurryThis(
  EventTarget.prototype.removeEventListener,
);

/** A Map whose methods cannot be replaced under it. */
export interface SafeMap<Value> {
  get(key: number): Value | undefined;
  set(key: number, value: Value): void;
  delete(key: number): boolean;
  each(visit: (value: Value, key: number) => void): void;
}

export function createSafeMap<Value>(): SafeMap<Value> {
  const map = new SavedMap<number, Value>();
  return {
    get: (key) => mapGet(map, key) as Value | undefined,
    set: (key, value) => void mapSet(map, key, value),
    delete: (key) => mapDelete(map, key),
    each: (visit) => mapForEach(map, (value, key) => visit(value as Value, key as number)),
  };
}

const SavedMap = Map;
const mapGet = uncurryThis(Map.prototype.get);
const mapSet = uncurryThis(Map.prototype.set);
const mapDelete = uncurryThis(Map.prototype.delete);
const mapForEach = uncurryThis(Map.prototype.forEach);

/** An own property, or undefined: an inherited one is never looked at. */
export function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** Adds a property without calling setters or touching prototypes. */
export function put(target: object, key: string, value: unknown): void {
  // A null-prototype descriptor: inherited `get` or `set` must not turn it into an accessor.
  const descriptor = create(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.writable = true;
  descriptor.enumerable = true;
  descriptor.configurable = true;
  defineProperty(target, key, descriptor);
}

/** True for objects that are neither null nor arrays. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/** Freezes an object and each of its members. */
export function lock<Value extends object>(value: Value): Readonly<Value> {
  const keys = keysOf(value);
  for (let index = 0; index < keys.length; index++) freeze(own(value, keys[index] as string));
  return freeze(value);
}
