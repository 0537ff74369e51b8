import { createContext, use } from 'react';

export interface Shell {
  readonly narrow: boolean;
  readonly navigationOpen: boolean;
  readonly setNavigationOpen: (open: boolean) => void;
  readonly openPalette: () => void;
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
