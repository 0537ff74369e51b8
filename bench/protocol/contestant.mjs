// One contestant in a process of its own. The parent sends `{ms}`: calls are made for so long.
import { readFileSync } from 'node:fs';
import { openCaller } from './callers.mjs';

const [who, json] = process.argv.slice(2);
const parameters = JSON.parse(json);
const caller = await openCaller(who, parameters);

/** Microseconds of processor time of another process; undefined where no /proc tells. */
function cpuOf(pid) {
  if (pid === undefined) return undefined;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return undefined;
  }
}

/** How many calls are made between two looks at the clock. */
const CALLS_A_LOOK = 16;

async function slice(ms) {
  const own = process.cpuUsage();
  const other = cpuOf(caller.serverPid);
  const start = performance.now();
  const end = start + ms;
  let calls = 0;
  let over = false;
  const lane = async () => {
    while (!over) {
      await caller.call();
      calls += 1;
      // Reading the clock takes a good part of what the fastest calls take.
      if (calls % CALLS_A_LOOK === 0) over = performance.now() >= end;
      // Calls in memory settle without the loop ever turning; a real program's loop turns.
      if (calls % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: parameters.atOnce }, lane));
  const took = performance.now() - start;
  const { user, system } = process.cpuUsage(own);
  const otherAfter = cpuOf(caller.serverPid);
  return {
    calls,
    rate: (calls * 1000) / took,
    clientMicros: (user + system) / calls,
    serverMicros: other === undefined || otherAfter === undefined ? undefined : (otherAfter - other) / calls,
  };
}

async function obey({ ms }) {
  if (ms === 0) {
    await caller.close();
    process.exit(0);
  }
  process.send?.(await slice(ms));
}

process.on('message', (order) => void obey(order));
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
