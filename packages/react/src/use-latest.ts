import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** A ref that holds the value of the latest committed render. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}
