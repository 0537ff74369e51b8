import type { DesktopVariables } from '../environment.ts';

export interface BrowserQuestion {
  /** As in `process.platform`. */
  readonly platform: string;
  readonly desktop: DesktopVariables;
  /** What the browser shall show. */
  readonly address: string;
}

/** A program to start, without a shell. */
export interface BrowserPlan {
  readonly command: string;
  readonly args: readonly string[];
}

/** How to open an address in the person's browser; undefined where nobody would see it. */
export function browserPlan({ platform, desktop, address }: BrowserQuestion): BrowserPlan | undefined {
  if (desktop.inCi || desktop.overSsh) return undefined;
  if (desktop.browser !== undefined) return planOfVariable(desktop.browser, address);
  switch (platform) {
    case 'darwin':
      return { command: 'open', args: [address] };
    case 'win32':
      // `start` would need a shell.
      return { command: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', address] };
    default:
      return desktop.hasDisplay ? { command: 'xdg-open', args: [address] } : undefined;
  }
}

/** The first command of BROWSER; `%s` in it stands for the address. `none` opens nothing. */
function planOfVariable(browser: string, address: string): BrowserPlan | undefined {
  // A colon separates commands, but not after a drive letter.
  const first = browser.split(/(?<!^[A-Za-z]):/)[0] ?? '';
  const [command, ...words] = first.trim().split(/\s+/);
  if (command === undefined || command === '' || command === 'none') return undefined;
  const args = words.map((word) => word.replaceAll('%s', () => address));
  return { command, args: first.includes('%s') ? args : [...args, address] };
}
