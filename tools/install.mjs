import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OLDEST_NODE = [20, 19];

/** Ends the program with one sentence when this Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  console.error(`Portico needs Node ${OLDEST_NODE.join('.')} or later; this is ${process.versions.node}.`);
  process.exit(2);
}

/**
 * Installs the locked dependencies unless exactly these are installed already.
 * @param {string} root
 */
export function ensureInstalled(root) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.portico-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing dependencies …');
  run(root, process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund']);
  writeFileSync(stamp, lock);
}

/**
 * Runs a command with this terminal; a failure ends this program with the command's exit code.
 * @param {string} root
 * @param {string} command
 * @param {string[]} args
 */
export function run(root, command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // npm is a batch file there, which needs one.
    shell: command.endsWith('.cmd'),
  });
  if (error !== undefined) console.error(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
