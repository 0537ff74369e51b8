import type { KeyboardEvent } from 'react';
import { useCallback, useState } from 'react';

export interface ListKeys {
  readonly active: number;
  readonly setActive: (index: number) => void;
  readonly reset: () => void;
  /** For the input that keeps the focus. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** For the active option, which is kept in sight. */
  readonly activeRef: (element: HTMLElement | null) => void;
}

/** Arrow keys, Home, End and Enter over a list whose input keeps the focus. */
export function useListKeys(count: number, onChoose: (index: number) => void): ListKeys {
  const [wanted, setActive] = useState(0);
  const active = Math.min(wanted, Math.max(0, count - 1));
  const activeRef = useCallback(
    (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' }),
    [],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || count === 0) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: (active + 1) % count,
      ArrowUp: (active - 1 + count) % count,
      Home: 0,
      End: count - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      onChoose(active);
    }
  };
  return { active, setActive, reset: () => setActive(0), onKeyDown, activeRef };
}
