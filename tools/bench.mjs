#!/usr/bin/env node
// `npm run bench -- <name> [--json]`: ours beside its peer and its floor, in one process run.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', 'bench');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.bench.mjs'))
  .map((file) => file.slice(0, -'.bench.mjs'.length));
const name = process.argv.slice(2).find((word) => !word.startsWith('--'));
const asJson = process.argv.includes('--json');
if (name === undefined || !existsSync(join(FOLDER, `${name}.bench.mjs`))) {
  console.error(`Name a benchmark: ${names.join(', ')}`);
  process.exit(2);
}

/** Each benchmark yields rows; a missing peer or floor is null. Smaller is better for times. */
const { rows } = await import(pathToFileURL(join(FOLDER, `${name}.bench.mjs`)).href);
const ratio = (ours, other) => (other === null ? null : Number((ours / other).toFixed(2)));
for await (const { bench, ours, peer, floor, unit, peerIs, floorIs } of rows()) {
  const row = {
    bench,
    ours,
    peer,
    floor,
    unit,
    ratioToPeer: ratio(ours, peer),
    ratioToFloor: ratio(ours, floor),
  };
  if (asJson) console.log(JSON.stringify({ ...row, peerIs, floorIs }));
  else {
    console.log(`${bench}: ${ours} ${unit}`);
    if (peer !== null) console.log(`  peer ${peer} ${unit}, ratio ${row.ratioToPeer} – ${peerIs}`);
    if (floor !== null) console.log(`  floor ${floor} ${unit}, ratio ${row.ratioToFloor} – ${floorIs}`);
  }
}
