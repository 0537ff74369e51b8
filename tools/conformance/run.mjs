#!/usr/bin/env node
// @ts-check
// `npm run conformance`: the official suite against our client and server, at every revision that it
// knows. Takes `--side`, `--version` and `--scenario` to run less.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ensureInstalled, requireNode, run } from '../install.mjs';
import { DEFAULT_VERSION, Suite, nodeOfSuite } from './suite.mjs';
import { TURNSTILE_PORT, openTurnstile } from './turnstile.mjs';
import { forbiddenEntries, judge } from './verdict.mjs';
/** @import { Outcome, Side } from './suite.mjs' */

const FOLDER = import.meta.dirname;
const ROOT = join(FOLDER, '..', '..');
const RESULTS = join(ROOT, '.test-results');
const FIGURES = join(RESULTS, 'conformance.json');
const LOGS = join(RESULTS, 'conformance');
const SERVER_PROGRAM = join(FOLDER, 'server', 'main.mjs');
/** Scenarios that measure time: all clients at once would make each of them late. */
const ALONE = new Set(['sse-retry']);

/**
 * One run of the suite.
 * @typedef {{ side: Side, version: string, scenario?: string }} Run
 *
 * Every scenario that a run is to report, so that one that is missing is noticed.
 * @typedef {Run & { scenario: string }} Wanted
 */

/** @param {Suite} suite @returns {{ runs: Run[], wanted: Wanted[] }} */
function plan(suite) {
  const { values } = parseArgs({
    options: { side: { type: 'string' }, version: { type: 'string' }, scenario: { type: 'string' } },
  });
  const listed = suite.list();
  const versions = [...new Set(listed.flatMap((each) => each.versions))]
    .filter((tag) => /^\d/.test(tag))
    .sort();
  const wanted = [DEFAULT_VERSION, ...versions].flatMap((version) =>
    listed
      .filter((each) => version === DEFAULT_VERSION || each.versions.includes(version))
      .map(({ side, scenario }) => ({ side, version, scenario }))
      .filter(
        (each) =>
          (values.side ?? each.side) === each.side &&
          (values.version ?? version) === version &&
          (values.scenario ?? each.scenario) === each.scenario,
      ),
  );
  if (wanted.length === 0) throw new TypeError('no scenario has that side, version and name');
  if (values.scenario !== undefined) return { runs: wanted, wanted };
  const whole = new Map(wanted.map(({ side, version }) => [`${side} ${version}`, { side, version }]));
  return { runs: [...wanted.filter(({ scenario }) => ALONE.has(scenario)), ...whole.values()], wanted };
}

/** Runs what is left of a list, one after the other. @param {Run[]} runs @param {Suite} suite */
async function runInTurn(runs, suite) {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (let next = runs.shift(); next !== undefined; next = runs.shift()) {
    const started = performance.now();
    const found = next.side === 'server' ? await runServer(next, suite) : await suite.run(next);
    const { scenario } = next;
    outcomes.push(...found.filter((each) => scenario !== undefined || !ALONE.has(each.scenario)));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.error(`${next.side} ${next.version} ${scenario ?? `${found.length} scenarios`}: ${seconds} s`);
  }
  return outcomes;
}

/** Each run has a server of its own. @param {Run} next @param {Suite} suite */
async function runServer(next, suite) {
  const server = spawn(process.execPath, [SERVER_PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(server, 'close');
  const died = closed.then(() => {
    throw new TypeError('the conformance server ended early');
  });
  try {
    const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), died]);
    return await Promise.race([suite.run({ ...next, url: JSON.parse(String(line)).url }), died]);
  } finally {
    died.catch(() => {});
    server.kill();
    await closed;
  }
}

/**
 * @param {Wanted[]} wanted
 * @param {Outcome[]} outcomes
 */
function report(wanted, outcomes) {
  const expected = JSON.parse(readFileSync(join(FOLDER, 'expected-failures.json'), 'utf8'));
  const judged = wanted.map((each) => {
    const found = outcomes.find(
      ({ side, version, scenario }) =>
        side === each.side && version === each.version && scenario === each.scenario,
    );
    const outcome = found ?? { ...each, checks: [], clientOutput: '' };
    const count = (/** @type {string} */ wantedStatus) =>
      outcome.checks.filter(({ status }) => status === wantedStatus).length;
    const checks = { passed: count('SUCCESS'), failed: count('FAILURE'), warned: count('WARNING') };
    return { ...each, checks, ...judge(outcome, expected) };
  });
  const summary = printFindings(judged, forbiddenEntries(expected));
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(FIGURES, JSON.stringify({ summary, scenarios: judged }, null, 1));
  console.log(`${summary.passed} passed, ${summary.failed} failed`);
  process.exitCode = summary.failed === 0 ? 0 : 1;
}

/**
 * @typedef {Wanted & import('./verdict.mjs').Verdict & { checks: Record<'passed' | 'failed' | 'warned', number> }} Judged
 *
 * @param {Judged[]} judged
 * @param {string[]} forbidden
 */
function printFindings(judged, forbidden) {
  for (const { side, version, scenario, state, why } of judged) {
    if (state === 'failed') console.log(`✗ ${side} ${version} ${scenario}: ${why}`);
  }
  for (const entry of forbidden) console.log(`✗ ${entry} may not stand in expected-failures.json`);
  const names = new Set(judged.map(({ side, version }) => `${side} ${version}`));
  for (const name of names) {
    const each = judged.filter(({ side, version }) => `${side} ${version}` === name);
    console.log(`${name.padEnd(18)} ${figures(each)}`);
  }
  const failed = judged.filter(({ state }) => state === 'failed').length + forbidden.length;
  return { passed: judged.filter(({ state }) => state === 'passed').length, failed };
}

/** @param {Judged[]} judged @returns {string} scenarios by state, and checks */
function figures(judged) {
  const states = /** @type {const} */ (['passed', 'failed', 'expected', 'skipped']);
  const counts = states.map((state) => [judged.filter((each) => each.state === state).length, state]);
  const scenarios = counts.filter(([count]) => count !== 0).map((pair) => pair.join(' '));
  const total = (/** @type {'passed' | 'failed' | 'warned'} */ key) =>
    judged.reduce((sum, { checks }) => sum + checks[key], 0);
  return `${scenarios.join(', ')} (checks: ${total('passed')} passed, ${total('failed')} failed, ${total('warned')} warned)`;
}

rmSync(FIGURES, { force: true });
rmSync(LOGS, { recursive: true, force: true });
requireNode();
ensureInstalled(ROOT);
ensureInstalled(FOLDER);
const node = nodeOfSuite();
if (node === undefined) {
  console.error(
    'The conformance suite needs Node 22 or later. On Linux x64 one is installed for it; here, run ' +
      '`node tools/conformance/run.mjs` with a Node 22 (any version manager has one).',
  );
  process.exit(2);
}
run(ROOT, process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b']);
const turnstile = await openTurnstile(availableParallelism());
const suite = new Suite(node, LOGS, { ...process.env, [TURNSTILE_PORT]: String(turnstile.port) });
const { runs, wanted } = plan(suite);
const servers = runs.filter(({ side }) => side === 'server');
const clients = runs.filter(({ side }) => side === 'client');
// Servers mostly wait, a run of all clients fills both processors.
const lanes = await Promise.all([
  runInTurn(servers, suite),
  runInTurn(servers, suite),
  runInTurn(clients, suite),
]);
turnstile.close();
report(wanted, lanes.flat());
