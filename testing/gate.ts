/** What a component that renders cannot get past until it is opened. */
export interface Gate {
  /** Suspends whoever renders, in every version of React, as long as it is closed. */
  pass(): void;
  /** Resolves when those who waited may render. */
  open(): Promise<void>;
}

export function createGate(): Gate {
  let isOpen = false;
  let letGo = (): void => undefined;
  const opened = new Promise<void>((resolve) => (letGo = resolve));
  return {
    pass() {
      // oxlint-disable-next-line typescript/only-throw-error -- a thrown promise is how a render waits where there is no `use`
      if (!isOpen) throw opened;
    },
    async open() {
      isOpen = true;
      letGo();
      await opened;
    },
  };
}
