import { posix, win32 } from 'node:path';

/** What the choice of the data folder depends on. */
export interface FolderQuestion {
  /** As in `process.platform`. */
  readonly platform: string;
  readonly home: string;
  /** XDG_DATA_HOME, where it is set. */
  readonly xdgDataHome?: string | undefined;
  /** LOCALAPPDATA, where it is set. */
  readonly localAppData?: string | undefined;
}

/** The platform's own place for an application's data. */
export function defaultDataFolder({ platform, home, xdgDataHome, localAppData }: FolderQuestion): string {
  if (platform === 'win32') {
    return win32.join(localAppData ?? win32.join(home, 'AppData', 'Local'), 'Portico');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Portico');
  // The XDG specification has relative paths ignored.
  const base =
    xdgDataHome !== undefined && posix.isAbsolute(xdgDataHome)
      ? xdgDataHome
      : posix.join(home, '.local', 'share');
  return posix.join(base, 'portico');
}
