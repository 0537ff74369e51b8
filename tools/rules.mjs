#!/usr/bin/env node
// `npm run rules`: how many rows of each rule list are proved by the last whole test run of this tree.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RESULTS_FILE } from './result-reporter.mjs';
import { readRuleLists, tally } from './rule-lists.mjs';
import { TREE_PLACES, treeHash } from './tree-hash.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (!existsSync(RESULTS_FILE)) fail('There is no result of a whole test run; run npm test first.');
const results = JSON.parse(readFileSync(RESULTS_FILE, 'utf8'));
if (results.complete !== true)
  fail('The last test run was not whole, or files changed during it; run npm test again.');
if (results.treeHash !== treeHash(root, TREE_PLACES)) {
  fail('The last test run is of other files than these; run npm test again.');
}
const lists = readRuleLists(root);
const { summary, unknown } = tally(lists, results.tests);
if (process.argv.includes('--json')) console.log(JSON.stringify(summary));
else print();
if (unknown.length > 0) fail(`Tests cite ids that are in no list: ${unknown.join(', ')}`);

function print() {
  for (const { name, rows } of lists) {
    const { total, proved, reasoned, open } = summary[name];
    console.log(
      `${name}: ${total} rows, ${proved} proved, ${reasoned} not built for a reason, ${open.length} open`,
    );
    for (const [id, { reason }] of rows)
      if (reason !== undefined) console.log(`  ${id} not built: ${reason}`);
    if (open.length > 0) console.log(`  open: ${open.join(' ')}`);
  }
}
