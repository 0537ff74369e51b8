// An echo call in both eras over each transport, beside the official SDK and a floor; more is better.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from '../tools/build.mjs';
import { CASES, PEER_IS, floorIs } from './protocol/cases.mjs';
import { duel } from './protocol/duel.mjs';

const PLAN = { rounds: 7, sliceMs: 700 };
const UNIT = 'calls/s, more is better';

const words = ({ client, server }) =>
  [client, server].map((micros, index) => `${['client', 'server'][index]} ${micros ?? '?'} µs`).join(', ');

/** Runs a measurement in a process with `gc` at hand. */
const measured = (file, name) =>
  new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'protocol', file), [name], { execArgv: ['--expose-gc'] });
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });

/** @param {{only?: string}} options part of the names of rows */
export async function* rows({ only = '' } = {}) {
  await ensureBuilt();
  for (const each of CASES.filter(({ bench }) => bench.startsWith(only))) {
    const { cpu, ...figures } = await duel(each, PLAN);
    const note =
      each.over === 'memory'
        ? `processor time a call: ours ${cpu.ours.client} µs, peer ${cpu.peer.client} µs, floor ${cpu.floor.client} µs`
        : `processor time a call: ours ${words(cpu.ours)}; peer ${words(cpu.peer)}; floor ${words(cpu.floor)}`;
    const peerIs = each.bench.startsWith('memory')
      ? `${PEER_IS}, legacy: they have no modern pair in memory`
      : PEER_IS;
    yield { bench: each.bench, ...figures, unit: UNIT, peerIs, floorIs: floorIs(each), note, cpu };
  }
  for (const name of ['idle legacy session', 'heap after 10,000 calls']) {
    if (name.startsWith(only)) yield await measured('memory-use.mjs', name);
  }
}
