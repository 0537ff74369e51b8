import { afterEach, describe, expect, it } from 'vitest';
import type { ChildKeeper } from './child-keeper.ts';
import { StdioClientTransport } from './stdio-transport.ts';

const SHOW = `process.stdout.write(JSON.stringify({jsonrpc: '2.0', method: 'env', params: {own: process.env.OWN, mark: process.env.MARK}}) + '\\n'); process.stdin.resume();`;

interface Kept extends ChildKeeper {
  readonly told: readonly string[];
  /** Lets whoever is told of an end go on. */
  release(): void;
}

function createKeeper(): Kept {
  const told: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    told,
    release: () => release(),
    async expect(command) {
      told.push(`expect ${command}`);
      return {
        env: { MARK: 'the mark', OWN: 'overwritten' },
        started: (pid) => void told.push(`started ${pid}`),
        async ended() {
          told.push('ended');
          await released;
        },
      };
    },
  };
}

describe('a keeper of children', () => {
  const transports: StdioClientTransport[] = [];
  afterEach(async () => {
    await Promise.all(transports.splice(0).map((transport) => transport.close()));
  });
  const open = (keeper: ChildKeeper, command: string): StdioClientTransport => {
    const transport = new StdioClientTransport(
      { command, args: ['-e', SHOW], env: { OWN: 'mine' } },
      { keeper },
    );
    transports.push(transport);
    return transport;
  };

  it('K31 is told before a start, of the start and of the end, and is waited for', async () => {
    const keeper = createKeeper();
    const transport = open(keeper, process.execPath);
    const said = new Promise<unknown>((resolve) => (transport.onmessage = resolve));
    await transport.start();
    expect(keeper.told).toEqual([`expect ${process.execPath}`, `started ${String(transport.pid)}`]);
    expect(await said).toMatchObject({ params: { own: 'overwritten', mark: 'the mark' } });
    let isClosed = false;
    const closing = transport.close().then(() => (isClosed = true));
    await expect.poll(() => keeper.told.at(-1)).toBe('ended');
    expect(isClosed).toBe(false);
    keeper.release();
    await closing;
  });

  it('K31 is told of the end of a child that ended by itself, and of one that could not be started', async () => {
    const keeper = createKeeper();
    keeper.release();
    const ended = open(keeper, process.execPath);
    await ended.start();
    process.kill(ended.pid ?? 0, 'SIGKILL');
    await expect.poll(() => keeper.told.at(-1)).toBe('ended');
    await expect(open(keeper, 'portico-no-such-command').start()).rejects.toMatchObject({
      code: 'STDIO_COMMAND_NOT_FOUND',
    });
    expect(keeper.told.slice(-2)).toEqual(['expect portico-no-such-command', 'ended']);
  });
});
