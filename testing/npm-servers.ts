import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, startProgram } from './processes.ts';

const ROOT = join(import.meta.dirname, '..');

/** Entry file of an installed `@modelcontextprotocol/server-*` package. */
export function serverEntry(name: string): string {
  return join(ROOT, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
}

export interface HttpServerProcess {
  /** Address of its MCP endpoint. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<number | string>;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => (socket.destroy(), resolve(true)));
    socket.on('error', () => resolve(false));
  });

/** Starts one over streamable HTTP and waits until its port answers. */
export async function startHttpServer(
  name: string,
  args: readonly string[] = [],
): Promise<HttpServerProcess> {
  const port = await freePort();
  const program = startProgram([serverEntry(name), ...args], { env: { PORT: String(port) } });
  let over = false;
  void program.ended.then(() => (over = true));
  while (!(await answers(port))) {
    if (over) throw new Error(`${name} ended before it listened: ${program.stderr()}`);
    // Between two looks the loop lets the child's output and exit arrive.
    await new Promise<void>((resolve) => setTimeout(resolve, 25));
  }
  return {
    url: `http://localhost:${port}/mcp`,
    port,
    stop: () => {
      program.child.kill('SIGKILL');
      return program.ended;
    },
  };
}
