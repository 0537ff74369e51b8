// Contestants side by side: all warm, slices in turn, medians of the ratios of each round.
import { fork } from 'node:child_process';
import { join } from 'node:path';

const CONTESTANT = join(import.meta.dirname, 'contestant.mjs');

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const known = (values) => {
  const numbers = values.filter((value) => value !== undefined);
  return numbers.length === 0 ? undefined : Math.round(median(numbers) * 10) / 10;
};

class Contestant {
  #child;
  slices = [];

  constructor(who, parameters, flags) {
    this.#child = fork(CONTESTANT, [who, JSON.stringify(parameters)], { execArgv: flags });
    this.ready = this.#next();
  }

  async run(ms) {
    const answer = this.#next();
    this.#child.send({ ms });
    return answer;
  }

  async warm(ms, calls) {
    const start = performance.now();
    let made = 0;
    for (
      let spent = 0;
      spent < MAX_WARM_MS && (spent < ms || made < calls);
      spent = performance.now() - start
    ) {
      made += (await this.run(1000)).calls;
    }
  }

  async measure(ms) {
    this.slices.push(await this.run(ms));
  }

  async end() {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.send({ ms: 0 });
    const impatient = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    await gone;
    clearTimeout(impatient);
  }

  get rate() {
    return Math.round(median(this.slices.map(({ rate }) => rate)));
  }

  /** Microseconds of processor time a call: of the client's process and of the server's. */
  get cpu() {
    return {
      client: known(this.slices.map(({ clientMicros }) => clientMicros)),
      server: known(this.slices.map(({ serverMicros }) => serverMicros)),
    };
  }

  #next() {
    return new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`a contestant ended with ${code}`));
      this.#child.once('exit', ended);
      this.#child.once('message', (message) => {
        this.#child.off('exit', ended);
        resolve(message);
      });
    });
  }
}

/**
 * The official packages gain speed for some seconds and thousands of calls; a ratio to a cold one
 * would flatter. Where the machine is busy the calls take longer, up to a limit.
 */
const WARM = { ours: [4000, 6000], official: [8000, 6000], floor: [2000, 6000] };
const MAX_WARM_MS = 40_000;

/**
 * @param {import('./cases.mjs').Case} parameters
 * @param {{rounds: number, sliceMs: number}} plan
 */
export async function duel(parameters, { rounds, sliceMs }) {
  const names = ['ours', 'official', 'floor'];
  const contestants = names.map((who) => new Contestant(who, parameters, []));
  await Promise.all(contestants.map(({ ready }) => ready));
  await Promise.all(contestants.map((contestant, index) => contestant.warm(...WARM[names[index]])));
  for (let round = 0; round < rounds; round++) {
    // Another one begins each time.
    for (let turn = 0; turn < names.length; turn++) {
      await contestants[(round + turn) % names.length].measure(sliceMs);
    }
  }
  const [ours, official, floor] = contestants;
  const ratioTo = (other) =>
    median(ours.slices.map(({ rate }, round) => rate / (other.slices[round]?.rate ?? Number.NaN)));
  const result = {
    ours: ours.rate,
    peer: official.rate,
    floor: floor.rate,
    ratioToPeer: Number(ratioTo(official).toFixed(2)),
    ratioToFloor: Number(ratioTo(floor).toFixed(2)),
    cpu: { ours: ours.cpu, peer: official.cpu, floor: floor.cpu },
  };
  await Promise.all(contestants.map((contestant) => contestant.end()));
  return result;
}
