import { readFile, readdir, readlink } from 'node:fs/promises';

/** State code of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

/**
 * Who listens on a port of this machine, as `name (process N)`. Known only on Linux, and there only
 * for processes that the user may look into.
 */
export async function portHolder(port: number): Promise<string | undefined> {
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const inode of listeningInodes(await textOf(table), port)) inodes.add(inode);
  }
  if (inodes.size === 0) return undefined;
  for (const pid of (await namesIn('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (await holdsOne(pid, inodes)) {
      const name = (await textOf(`/proc/${pid}/comm`)).trim();
      return `${name} (process ${pid})`;
    }
  }
  return undefined;
}

/** Socket numbers of the listeners on a port, from the text of /proc/net/tcp or tcp6. */
export function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(suffix) === true && fields[3] === LISTENING)
    .map((fields) => fields[9] ?? '')
    .filter((inode) => inode !== '' && inode !== '0');
}

async function holdsOne(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  for (const descriptor of await namesIn(`/proc/${pid}/fd`)) {
    const target = await targetOf(`/proc/${pid}/fd/${descriptor}`);
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined && inodes.has(inode)) return true;
  }
  return false;
}

// Processes end and descriptors close while we look, and other users' are closed to us.

async function textOf(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}

async function namesIn(path: string): Promise<string[]> {
  return await readdir(path).catch(() => []);
}

async function targetOf(path: string): Promise<string> {
  return await readlink(path).catch(() => '');
}
