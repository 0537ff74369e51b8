// @ts-check
/** @import { Outcome, Side } from './suite.mjs' */

/** What our client prints when a scenario went as it should, so that one that crashed is seen. */
export const CLIENT_DONE = 'client: done';

/**
 * Scenarios that may fail, by side, each with the reason.
 * @typedef {Readonly<Record<Side, Readonly<Record<string, string>>>>} ExpectedFailures
 *
 * @typedef {object} Verdict
 * @property {'passed' | 'failed' | 'expected' | 'skipped'} state
 * @property {string} [why] what failed, in one line
 */

/** The only families of scenarios that may be expected to fail. */
const ALLOWED = /^(auth\/|sep-2640-)/;

/** Entries that may not be in the list. @param {ExpectedFailures} expected @returns {string[]} */
export function forbiddenEntries(expected) {
  return Object.values(expected)
    .flatMap((entries) => Object.keys(entries))
    .filter((scenario) => !ALLOWED.test(scenario));
}

/**
 * Judges one scenario. One that is expected to fail and passes is a failure, so that the list can
 * only shrink.
 * @param {Outcome} outcome
 * @param {ExpectedFailures} expected
 * @returns {Verdict}
 */
export function judge(outcome, expected) {
  const faults = faultsOf(outcome);
  const listed = Object.hasOwn(expected[outcome.side], outcome.scenario);
  if (faults.length > 0) return { state: listed ? 'expected' : 'failed', why: faults.join('; ') };
  if (listed) return { state: 'failed', why: 'passes: take it out of expected-failures.json' };
  return { state: outcome.checks.some(({ status }) => status === 'SUCCESS') ? 'passed' : 'skipped' };
}

/** @param {Outcome} outcome @returns {string[]} */
function faultsOf({ side, checks, clientOutput }) {
  if (checks.length === 0) return ['did not come to an end'];
  const faults = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, description, errorMessage }) => `${id}: ${oneLine(errorMessage ?? description)}`);
  if (faults.length > 0 || side === 'server' || clientOutput.includes(CLIENT_DONE)) return faults;
  return [`the client did not finish: ${oneLine(clientOutput)}`];
}

/** @param {string} text */
function oneLine(text) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
