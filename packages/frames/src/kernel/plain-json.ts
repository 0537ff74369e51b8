import { MAX_INPUT_DEPTH, MAX_INPUT_LENGTH } from '../limits.ts';
import {
  clone,
  descriptorOf,
  hasOwn,
  isArray,
  isFiniteNumber,
  isObject,
  keysOf,
  prototypeOf,
  quoteJson,
} from './builtins.ts';

/** An object already entered on the way down: finds cycles, and leaves shared leaves alone. */
interface Trail {
  readonly value: object;
  readonly up: Trail | undefined;
}

interface Walk {
  /** Length so far of the whole text, which bounds the work on densely shared structures. */
  length: number;
}

/** Marks a value as not sendable; the message goes to the page. */
interface Refusal {
  readonly refused: string;
}

function refuse(reason: string): Refusal {
  return { refused: `The input ${reason}.` };
}

export function isRefusal(value: string | Refusal): value is Refusal {
  return typeof value !== 'string';
}

function isOnTrail(trail: Trail | undefined, value: object): boolean {
  for (let step = trail; step !== undefined; step = step.up) if (step.value === value) return true;
  return false;
}

/** `{}` or `Object.create(null)`, of any window: their prototype ends right there. */
function isPlain(value: object): boolean {
  const prototype: unknown = prototypeOf(value);
  if (prototype === null) return true;
  return prototypeOf(prototype) === null && hasOwn(prototype as object, 'hasOwnProperty');
}

/** Value of a member as the page wrote it; the copy alone has lost its class. */
function originalMember(original: object, key: string): unknown {
  const descriptor = descriptorOf(original, key);
  if (descriptor === undefined) return undefined;
  return hasOwn(descriptor, 'value') ? descriptor.value : (original as Record<string, unknown>)[key];
}

function arrayText(
  walk: Walk,
  copy: readonly unknown[],
  context: { original: object; trail: Trail; depth: number },
): string | Refusal {
  let text = '[';
  for (let index = 0; index < copy.length; index++) {
    if (!hasOwn(copy, index) || copy[index] === undefined) return refuse('has an empty place in a list');
    const item = valueText(walk, copy[index], {
      ...context,
      original: originalMember(context.original, String(index)),
    });
    if (isRefusal(item)) return item;
    text += index === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function objectText(
  walk: Walk,
  copy: object,
  context: { original: object; trail: Trail; depth: number },
): string | Refusal {
  let text = '{';
  const keys = keysOf(copy);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const value = (copy as Record<string, unknown>)[key];
    if (value === undefined) continue;
    const name = quoteJson(key);
    walk.length += name.length + 1;
    const member = valueText(walk, value, { ...context, original: originalMember(context.original, key) });
    if (isRefusal(member)) return member;
    text += `${text === '{' ? '' : ','}${name}:${member}`;
  }
  return `${text}}`;
}

interface Place {
  readonly original: unknown;
  readonly trail: Trail | undefined;
  readonly depth: number;
}

function primitiveText(value: unknown): string | Refusal {
  if (typeof value === 'string' || typeof value === 'boolean') return quoteJson(value);
  if (typeof value !== 'number') return refuse(`has a ${typeof value}, which is not JSON`);
  return isFiniteNumber(value) ? quoteJson(value) : refuse('has a number that is not finite');
}

function containerText(walk: Walk, copy: object, place: Place): string | Refusal {
  const { original, depth } = place;
  if (depth >= MAX_INPUT_DEPTH) return refuse(`is nested deeper than ${MAX_INPUT_DEPTH} levels`);
  if (typeof original !== 'object' || original === null || isArray(original) !== isArray(copy)) {
    return refuse('changed while it was read');
  }
  if (isOnTrail(place.trail, original)) return refuse('refers to itself');
  const context = { original, trail: { value: original, up: place.trail }, depth: depth + 1 };
  if (isArray(copy)) return arrayText(walk, copy as readonly unknown[], context);
  if (!isPlain(original)) return refuse('has an object that is not plain JSON');
  return objectText(walk, copy, context);
}

function valueText(walk: Walk, copy: unknown, place: Place): string | Refusal {
  if (walk.length > MAX_INPUT_LENGTH) return refuse('is too large');
  const isContainer = typeof copy === 'object' && copy !== null;
  const text = copy === null ? 'null' : isContainer ? containerText(walk, copy, place) : primitiveText(copy);
  if (isRefusal(text)) return text;
  walk.length += isContainer ? 2 : text.length;
  return text;
}

/**
 * Text of a call's input, taken at this moment. Only plain JSON objects pass: whatever JSON would
 * silently change is refused (NaN, holes, dates, class instances), except that members whose value
 * is `undefined` are left out. Missing input is the empty object.
 *
 * The structured clone in front finds proxies and functions and reads every getter once; walking
 * original and copy together then finds what cloning would have turned into something else.
 */
export function inputText(input: unknown): string | Refusal {
  if (input === undefined || input === null) return '{}';
  try {
    if (!isObject(input)) return refuse('has to be an object');
    const text = valueText({ length: 0 }, clone(input), { original: input, trail: undefined, depth: 0 });
    return !isRefusal(text) && text.length > MAX_INPUT_LENGTH ? refuse('is too large') : text;
  } catch {
    return refuse('cannot be copied');
  }
}
