// An MCP server on stdio that behaves as badly as its only argument says, in JSON:
//   report    port on this machine to which it and all that it starts stay connected while they live
//   deaf      neither the end of its input nor SIGTERM ends it
//   forks     as what it starts another process: "group", or "detached" from its group
//   wraps     stands before the server as `npx` does: a process of its own, which hands on no signal
//   starts    how a start ends: "exit" at once, "silent" without ever an answer
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import process from 'node:process';
import { createInterface } from 'node:readline';

const options = JSON.parse(process.argv[2] ?? '{}');
const { report, deaf = false, forks, wraps = false, starts, role = 'server' } = options;

const again = (other, more) =>
  spawn(process.execPath, [process.argv[1], JSON.stringify(other)], { stdio: 'ignore', ...more });

/** Resolves once whoever counts the living knows of this process. */
function beCounted() {
  if (report === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const socket = connect(report, '127.0.0.1', () =>
      socket.write(`${wraps ? 'wrapper' : role} ${process.pid}\n`),
    );
    socket.once('data', () => {
      // Being counted keeps nobody alive.
      socket.unref();
      resolve();
    });
    socket.on('error', () => undefined);
  });
}

const INPUT = { type: 'object' };
const tool = (name, description) => ({ name, description, inputSchema: INPUT });
const TOOLS = [
  tool('who', 'Answers its process id, its arguments and the names of its variables.'),
  tool('echo', 'Answers its token after a while.'),
  tool('exit', 'Ends the process by a code or a signal, after a while and after some words.'),
  tool('flood', 'Writes as many bytes to its error output as it is told, then answers.'),
];
const answer = (structuredContent) => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
});

/** Lines of every length up to 4 KiB with colours in them, of a series that begins with a seed. */
function noise(seed) {
  let state = seed >>> 0;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  const lines = Array.from({ length: 64 }, () => `\u001b[31m${'noise '.repeat(next() % 683)}\u001b[0m\n`);
  return Buffer.from(lines.join(''));
}

async function flood({ bytes, seed }) {
  const block = noise(seed);
  let left = bytes;
  while (left > 0) {
    const part = block.subarray(0, Math.min(left, block.length));
    left -= part.length;
    if (!process.stderr.write(part)) await new Promise((resolve) => process.stderr.once('drain', resolve));
  }
  return answer({ bytes });
}

function exit({ code = 0, signal, afterMs = 0, says = '' }) {
  process.stderr.write(says);
  setTimeout(() => {
    if (signal === undefined) process.exit(code);
    process.kill(process.pid, signal);
  }, afterMs);
  // It never answers.
  return new Promise(() => undefined);
}

const CALLS = {
  who: () => answer({ pid: process.pid, args: process.argv.slice(2), variables: Object.keys(process.env) }),
  echo: ({ token, delayMs = 0 }) =>
    new Promise((resolve) => void setTimeout(() => resolve(answer({ token, pid: process.pid })), delayMs)),
  exit,
  flood,
};

const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'rough-server', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ name, arguments: given = {} }) => CALLS[name](given),
};

async function serve() {
  const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const reader = createInterface({ input: process.stdin });
  reader.on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || starts === 'silent') return;
    const run = METHODS[method];
    if (run === undefined) return say({ id, error: { code: -32601, message: 'no such method' } });
    void Promise.resolve(run(params)).then((result) => say({ id, result }));
  });
  if (!deaf) reader.on('close', () => process.exit(0));
}

if (deaf) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000_000);
}
await beCounted();
if (wraps) {
  again({ ...options, wraps: false }, { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
} else if (role === 'server') {
  if (forks !== undefined) {
    const stdio = ['ignore', 'pipe', 'ignore'];
    const fork = again({ report, deaf, role: forks }, { detached: forks === 'detached', stdio });
    // Whoever ends this one finds the other one in its place, not still being started.
    await new Promise((resolve) => fork.stdout.once('data', resolve));
    fork.stdout.destroy();
    fork.unref();
  }
  if (starts === 'exit') {
    process.stderr.write('\u001b[31mno database\u001b[0m at db.example.com\n', () => process.exit(3));
  } else await serve();
} else {
  process.stdout.write('in place\n');
  setInterval(() => undefined, 1_000_000);
}
