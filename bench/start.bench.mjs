// Time from process start to the first answered request, on a data folder that was used before.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../tools/build.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const PORTICO = join(ROOT, 'packages/host/bin/portico.mjs');
const ROUNDS = 9;
const BARE =
  'require("node:http").createServer((_, response) => response.end()).listen(process.argv[1], "127.0.0.1")';

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const answered = (port) =>
  new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/', agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(true));
    });
    outgoing.on('error', () => resolve(false)).end();
  });

/** @returns {Promise<number>} milliseconds */
async function timeToFirstAnswer(argumentsFor) {
  const port = await freePort();
  const before = performance.now();
  const child = spawn(process.execPath, argumentsFor(port), { stdio: 'ignore' });
  while (!(await answered(port))) await new Promise((resolve) => setTimeout(resolve, 2));
  const took = performance.now() - before;
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  return took;
}

const median = (numbers) => Math.round(numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]);

export async function* rows() {
  await ensureBuilt();
  const data = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  const ours = (port) => [PORTICO, 'serve', '--no-open', '--data', data, '--port', String(port)];
  const bare = (port) => ['-e', BARE, String(port)];
  const first = Math.round(await timeToFirstAnswer(ours));
  const times = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await timeToFirstAnswer(ours));
    times.bare.push(await timeToFirstAnswer(bare));
  }
  rmSync(data, { recursive: true, force: true });
  const floor = median(times.bare);
  const floorIs = 'bare node that answers one request with node:http and loads nothing else';
  yield {
    bench: 'start, second run',
    ours: median(times.ours),
    peer: null,
    floor,
    unit: 'ms',
    floorIs,
  };
  yield {
    bench: 'start, empty data folder (one run)',
    ours: first,
    peer: null,
    floor,
    unit: 'ms',
    floorIs,
  };
}
