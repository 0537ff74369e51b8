import { MAX_GC_TIME_MS, MAX_STALE_TIME_MS } from '../limits.ts';
import { hasOwn, isAborted, isObject } from './builtins.ts';

/** A page's options, checked and reduced to what has an effect. */
export interface CallOptions {
  readonly signal: AbortSignal | undefined;
  /** JSON text of the cache option; undefined when it was left out. */
  readonly cache: string | undefined;
}

/** Thrown inside the kernel for a caller's mistake; its message goes to the page. */
export interface OptionFault {
  readonly fault: string;
}

export function isFault(value: object): value is OptionFault {
  return hasOwn(value, 'fault');
}

/** A duration within `[0, cap]`; undefined when it is no number at all. */
function duration(value: unknown, cap: number): number | undefined {
  // NaN is the one number that differs from itself.
  if (typeof value !== 'number' || value !== value) return undefined;
  return value < 0 ? 0 : value > cap ? cap : value;
}

function cacheText(cache: unknown): string | OptionFault | undefined {
  if (cache === undefined) return undefined;
  if (cache === false) return 'false';
  if (!isObject(cache)) return { fault: 'The cache option has to be false or an object.' };
  const { staleTime, gcTime, refresh } = cache as {
    staleTime?: unknown;
    gcTime?: unknown;
    refresh?: unknown;
  };
  let members = '';
  const add = (member: string): void => {
    members += members === '' ? member : `,${member}`;
  };
  if (staleTime !== undefined) {
    const value = duration(staleTime, MAX_STALE_TIME_MS);
    if (value === undefined) return { fault: 'cache.staleTime has to be a number of milliseconds.' };
    add(`"staleTime":${value}`);
  }
  if (gcTime !== undefined) {
    const value = duration(gcTime, MAX_GC_TIME_MS);
    if (value === undefined) return { fault: 'cache.gcTime has to be a number of milliseconds.' };
    add(`"gcTime":${value}`);
  }
  if (refresh !== undefined && typeof refresh !== 'boolean')
    return { fault: 'cache.refresh has to be true or false.' };
  if (refresh === true) add('"refresh":true');
  return `{${members}}`;
}

function checkSignal(signal: unknown): AbortSignal | OptionFault | undefined {
  if (signal === undefined) return undefined;
  try {
    // Throws for anything but a real signal, of this window or another.
    isAborted(signal as AbortSignal);
    return signal as AbortSignal;
  } catch {
    return { fault: 'The signal option has to be an AbortSignal.' };
  }
}

/** Reads a call's options. May throw what a getter of the page throws. */
export function readCallOptions(options: unknown): CallOptions | OptionFault {
  if (options === undefined || options === null) return { signal: undefined, cache: undefined };
  if (!isObject(options)) return { fault: 'The options have to be an object.' };
  const { cache, signal } = options as { cache?: unknown; signal?: unknown };
  const text = cacheText(cache);
  if (typeof text === 'object') return text;
  const checked = checkSignal(signal);
  if (checked !== undefined && isFault(checked)) return checked;
  return { cache: text, signal: checked };
}
