'use client';
import { useInsertionEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** A ref that holds the value of the latest committed render, before any other effect of it runs. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const ref = useRef(value);
  useInsertionEffect(() => {
    ref.current = value;
  });
  return ref;
}
