import { createContext, use } from 'react';

export interface Shell {
  readonly narrow: boolean;
  readonly navigationOpen: boolean;
  setNavigationOpen(open: boolean): void;
  openPalette(): void;
}

const ShellContext = createContext<Shell>({
  narrow: false,
  navigationOpen: false,
  setNavigationOpen: () => undefined,
  openPalette: () => undefined,
});

export const ShellProvider = ShellContext.Provider;

export function useShell(): Shell {
  return use(ShellContext);
}
