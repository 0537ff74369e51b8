'use client';
import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Something mounted into an element, outside of React's tree. */
export interface Mountable {
  readonly element: Element;
  /** Moves it with its live document; false where the browser cannot. */
  moveTo?(parent: Element): boolean;
  dispose(): unknown;
}

interface Kept<Mounted> {
  readonly key: string;
  readonly value: Mounted;
  held: boolean;
}

/** Lets a frame outlive its place, so that what it shows can end politely or come back. */
function release<Mounted extends Mountable>(kept: Kept<Mounted>): void {
  kept.held = false;
  kept.value.moveTo?.(kept.value.element.ownerDocument.body);
  queueMicrotask(() => {
    // Strict mode takes an effect back and runs it again at once: then nothing has ended.
    if (!kept.held) kept.value.dispose();
  });
}

/**
 * Mounts something once for each key into the element that carries the returned ref, and keeps it
 * through re-renders and through strict mode's second run of effects.
 */
export function useMounted<Mounted extends Mountable>(
  key: string,
  mount: (container: HTMLElement) => Mounted,
): { readonly container: RefObject<HTMLDivElement | null>; readonly mounted: RefObject<Mounted | null> } {
  const container = useRef<HTMLDivElement>(null);
  const mounted = useRef<Mounted>(null);
  const kept = useRef<Kept<Mounted>>(null);
  const latestMount = useRef(mount);
  useLayoutEffect(() => {
    latestMount.current = mount;
  });
  useLayoutEffect(() => {
    const place = container.current;
    if (place === null) return undefined;
    const former = kept.current;
    const current: Kept<Mounted> =
      former !== null && former.key === key && former.value.element.isConnected
        ? former
        : { key, value: latestMount.current(place), held: true };
    current.held = true;
    if (current.value.element.parentElement !== place) current.value.moveTo?.(place);
    kept.current = current;
    mounted.current = current.value;
    return () => {
      mounted.current = null;
      release(current);
    };
  }, [key]);
  return { container, mounted };
}
