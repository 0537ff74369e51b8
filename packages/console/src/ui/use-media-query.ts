import { useCallback, useSyncExternalStore } from 'react';

/** Widths below which the layout changes; the same values stand in styles/app.css. */
export const NARROW = '(width < 48rem)';
export const WITHOUT_PANEL = '(width < 64rem)';

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
