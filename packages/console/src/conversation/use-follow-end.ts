import type { RefObject } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';

/** Nearer to the end than this counts as being there, in CSS pixels. */
const NEAR_PX = 48;

export interface FollowEnd {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly atEnd: boolean;
  /** Whether what comes next is brought into sight. */
  readonly following: boolean;
  readonly toEnd: () => void;
  /** Leaves the reader where they are, whatever comes or grows, until they go to the end again. */
  readonly stay: () => void;
}

/** Keeps the newest in sight while the reader is at the end, and leaves the reader alone elsewhere. */
export function useFollowEnd({ startAtEnd }: { readonly startAtEnd: boolean }): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(startAtEnd);
  const [following, setFollowing] = useState(startAtEnd);
  const [atEnd, setAtEnd] = useState(true);
  const follow = useCallback((wanted: boolean) => {
    follows.current = wanted;
    setFollowing(wanted);
  }, []);
  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    follow(true);
    element.scrollTop = element.scrollHeight;
  }, [follow]);
  const stay = useCallback(() => follow(false), [follow]);
  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    const isAtEnd = (): boolean => element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_PX;
    const onScroll = (): void => {
      follow(isAtEnd());
      setAtEnd(follows.current);
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
      setAtEnd(isAtEnd());
    });
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [follow]);
  return { scroller, content, atEnd, following, toEnd, stay };
}
