'use client';
import type { RefObject } from 'react';

type Handlers = object;

/**
 * An object with the same functions that calls whatever the ref holds at that moment, so that what
 * was mounted once hears the handlers of the latest render. Which handlers exist is decided once.
 */
export function forwardHandlers<Shape extends Handlers>(latest: RefObject<Shape>): Shape {
  const forwarded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(latest.current)) {
    if (typeof value !== 'function') continue;
    forwarded[key] = (...args: unknown[]): unknown => {
      const handler = (latest.current as Record<string, unknown>)[key];
      return typeof handler === 'function'
        ? (handler as (...args: unknown[]) => unknown)(...args)
        : undefined;
    };
  }
  return forwarded as Shape;
}
