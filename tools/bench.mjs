#!/usr/bin/env node
// `npm run bench -- <name> [--json] [--only=<start of a row's name>]`: ours beside its peer and its floor.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', 'bench');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.bench.mjs'))
  .map((file) => file.slice(0, -'.bench.mjs'.length));
const name = process.argv.slice(2).find((word) => !word.startsWith('--'));
const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length);
const asJson = process.argv.includes('--json');
if (name === undefined || !existsSync(join(FOLDER, `${name}.bench.mjs`))) {
  console.error(`Name a benchmark: ${names.join(', ')}`);
  process.exit(2);
}

/**
 * Each benchmark yields rows; a missing peer or floor is null. Smaller is better for times, and the
 * unit says so where more is. A row may bring ratios that it measured round by round.
 */
const { rows } = await import(pathToFileURL(join(FOLDER, `${name}.bench.mjs`)).href);
const ratio = (ours, other) => (other === null ? null : Number((ours / other).toFixed(2)));
for await (const measured of rows(only === undefined ? {} : { only })) {
  const { bench, ours, peer, floor, unit, peerIs, floorIs, note } = measured;
  const row = {
    ...measured,
    ratioToPeer: measured.ratioToPeer ?? ratio(ours, peer),
    ratioToFloor: measured.ratioToFloor ?? ratio(ours, floor),
  };
  if (asJson) console.log(JSON.stringify(row));
  else {
    console.log(`${bench}: ${ours} ${unit}`);
    if (peer !== null) console.log(`  peer ${peer} ${unit}, ratio ${row.ratioToPeer} – ${peerIs}`);
    if (floor !== null) console.log(`  floor ${floor} ${unit}, ratio ${row.ratioToFloor} – ${floorIs}`);
    if (note !== undefined) console.log(`  ${note}`);
  }
}
