import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

/** The server that behaves as badly as it is told; its own file says how. */
export const ROUGH_SERVER = join(import.meta.dirname, 'rough-server.mjs');

/** A process that lives. */
export interface LivingProcess {
  /** What it is: `server`, or how it hangs together with the one that started it. */
  readonly role: string;
  readonly pid: number;
}

/** Counts processes that stay connected for as long as they live: their end is an event, not a guess. */
export interface LivingProcesses {
  readonly port: number;
  readonly alive: readonly LivingProcess[];
  /** Resolves with those who live, as soon as that fits. */
  until(fits: (alive: readonly LivingProcess[]) => boolean): Promise<readonly LivingProcess[]>;
  close(): Promise<void>;
}

export async function countLivingProcesses(): Promise<LivingProcesses> {
  const living = new Map<Socket, LivingProcess>();
  const looks = new Set<() => void>();
  const changed = (): void => looks.forEach((look) => look());
  const alive = (): LivingProcess[] => [...living.values()];
  const server = createServer((socket) => {
    socket.once('data', (data) => {
      const [role = '', pid] = data.toString('utf8').trim().split(' ');
      living.set(socket, { role, pid: Number(pid) });
      socket.write('counted\n');
      changed();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      living.delete(socket);
      changed();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get alive() {
      return alive();
    },
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!fits(alive())) return;
          looks.delete(look);
          resolve(alive());
        };
        looks.add(look);
        look();
      }),
    async close() {
      for (const socket of living.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
