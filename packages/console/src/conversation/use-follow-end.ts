import type { RefObject } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';

/** Nearer to the end than this counts as being there, in CSS pixels. */
const NEAR_PX = 48;

export interface FollowEnd {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly atEnd: boolean;
  readonly toEnd: () => void;
}

/** Keeps the newest in sight while the reader is at the end, and leaves the reader alone elsewhere. */
export function useFollowEnd({ startAtEnd }: { readonly startAtEnd: boolean }): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(startAtEnd);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    following.current = true;
    element.scrollTop = element.scrollHeight;
  }, []);
  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    const isAtEnd = (): boolean => element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_PX;
    const onScroll = (): void => {
      following.current = isAtEnd();
      setAtEnd(following.current);
    };
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight;
      setAtEnd(isAtEnd());
    });
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  return { scroller, content, atEnd, toEnd };
}
