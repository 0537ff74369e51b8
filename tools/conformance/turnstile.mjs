// @ts-check
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Tells our client where the turnstile is. */
export const TURNSTILE_PORT = 'PORTICO_CONFORMANCE_TURNSTILE';

/**
 * The suite starts all of its clients at once, which makes each of them late on a small machine. Here
 * they wait for each other: a few pass, the next one when one of them has ended.
 *
 * @param {number} seats clients at a time
 * @returns {Promise<{ port: number, close: () => void }>}
 */
export async function openTurnstile(seats) {
  /** @type {import('node:net').Socket[]} */
  const waiting = [];
  let free = seats;
  const admit = () => {
    for (; free > 0 && waiting.length > 0; free -= 1) waiting.shift()?.write('go');
  };
  const server = createServer((socket) => {
    waiting.push(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      const place = waiting.indexOf(socket);
      if (place === -1) free += 1;
      else waiting.splice(place, 1);
      admit();
    });
    socket.resume();
    admit();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('not bound to a port');
  return { port: address.port, close: () => void server.close() };
}

/**
 * Waits for a seat. It is held until this process ends.
 * @param {string | undefined} port none means that there is no turnstile
 */
export async function passTurnstile(port) {
  if (port === undefined) return;
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  await once(socket, 'data');
  socket.unref();
}
