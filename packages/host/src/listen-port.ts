import { createServer } from 'node:net';
import type { Server as TcpServer } from 'node:net';
import type { Server } from 'node:http';
import { HostError } from './errors.ts';
import type { ListenChoice } from './host-options.ts';
import { portHolder } from './port-holder.ts';

/** One port for everything, and the nine after it where it is busy (K7). */
const DEFAULT_PORT = 6874;
const PORTS_TRIED = 10;

/** A server that listens on the loopback addresses of one port. */
export interface BoundPort {
  readonly port: number;
  /** Stops taking new connections on both addresses; open ones go on until the server ends them. */
  close(): void;
}

/** The remembered port first, then the default one and the nine after it. */
export function portsToTry(remembered: number | undefined): Required<ListenChoice> {
  const range = Array.from({ length: PORTS_TRIED }, (_, index) => DEFAULT_PORT + index);
  const port = remembered ?? DEFAULT_PORT;
  return { port, alternatives: range.filter((candidate) => candidate !== port) };
}

/**
 * Binds the server to 127.0.0.1 and, where the system has it, to ::1 of the same port. A port counts
 * as free only when both are: browsers may try either for `*.localhost`, and whoever held the other
 * one would be given our launch tokens.
 *
 * Throws HostError `port_in_use` (with the holder, where the system tells), `port_not_allowed` or
 * `no_free_port`.
 */
export async function bindLoopback(server: Server, choice: ListenChoice): Promise<BoundPort> {
  const alternatives = choice.alternatives ?? [];
  for (const port of [choice.port, ...alternatives]) {
    const bound = await bindBoth(server, port);
    if (bound !== undefined) return bound;
  }
  if (alternatives.length === 0) throw await portInUse(choice.port);
  throw new HostError('no_free_port', {
    message: `port ${choice.port} is in use, and so are ${alternatives.join(', ')}`,
    data: { port: choice.port, remedy: 'name a free port with --port' },
  });
}

async function portInUse(port: number): Promise<HostError> {
  const holder = await portHolder(port);
  return new HostError('port_in_use', {
    message: `port ${port} is in use${holder === undefined ? '' : ` by ${holder}`}`,
    data: {
      port,
      ...(holder === undefined ? {} : { holder }),
      remedy: 'end that program, or leave --port out to take the next free one',
    },
  });
}

/** Undefined when the port is busy on either address. */
async function bindBoth(server: Server, wanted: number): Promise<BoundPort | undefined> {
  if ((await listen(server, wanted, '127.0.0.1')) === 'busy') return undefined;
  const port = portOf(server);
  const second = createServer((socket) => server.emit('connection', socket));
  const outcome = await listen(second, port, '::1');
  if (outcome === 'busy') {
    await closeNow(server);
    // Any free port was asked for, and the one we got is taken on the other address: ask again.
    return wanted === 0 ? await bindBoth(server, 0) : undefined;
  }
  return {
    port,
    close() {
      if (server.listening) server.close();
      if (second.listening) second.close();
    },
  };
}

type ListenOutcome = 'listening' | 'busy' | 'no_address';

function listen(server: TcpServer, port: number, host: string): Promise<ListenOutcome> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      server.off('listening', onListening);
      if (error.code === 'EADDRINUSE') resolve('busy');
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve('no_address');
      else reject(notAllowed(port, error));
    };
    const onListening = (): void => {
      server.off('error', onError);
      resolve('listening');
    };
    server.once('error', onError);
    server.once('listening', onListening);
    server.listen({ port, host, exclusive: true });
  });
}

function notAllowed(port: number, cause: NodeJS.ErrnoException): HostError {
  return new HostError('port_not_allowed', {
    message: `port ${port} cannot be opened (${cause.code ?? cause.message})`,
    data: { port, remedy: 'name another port with --port, above 1023' },
    cause,
  });
}

function portOf(server: TcpServer): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function closeNow(server: TcpServer): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}
