import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** Longest socket path that every system takes, in bytes; the smallest limit is 104 with its end mark. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Where the running host of a data folder listens for commands: a socket in it, or a named pipe. */
export function controlPath(dataFolder: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return join(dataFolder, 'portico.sock');
  // Pipes have no folder. Others may open one but, by its default rights, not write requests into it.
  const name = createHash('sha256').update(dataFolder.toLowerCase()).digest('hex').slice(0, 32);
  return `\\\\.\\pipe\\portico-${name}`;
}

/**
 * Uses a socket whose path may be longer than the system's limit: from inside its folder the name
 * alone is enough. So the socket stays in the data folder, where nobody else can reach it.
 *
 * @param use must do its work before it returns
 */
export function atShortPath<T>(path: string, use: (path: string) => T): T {
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return use(path);
  const before = process.cwd();
  process.chdir(dirname(path));
  try {
    return use(basename(path));
  } finally {
    process.chdir(before);
  }
}
