import { useRef } from 'react';

export interface ReturnFocus {
  /** For the moment a dialog opens, before it takes the focus. */
  readonly remember: () => void;
  /** For the moment it has closed. */
  readonly giveBack: (event: Event) => void;
}

/** Puts the focus back where it was before a dialog, or on the page's heading when that is gone. */
export function useReturnFocus(): ReturnFocus {
  const before = useRef<Element | null>(null);
  return {
    remember: () => {
      before.current = document.activeElement;
    },
    giveBack: (event) => {
      event.preventDefault();
      const { current } = before;
      const usable = current instanceof HTMLElement && current.isConnected && current !== document.body;
      const target = usable ? current : document.querySelector<HTMLElement>('main h1');
      target?.focus({ preventScroll: true });
    },
  };
}
