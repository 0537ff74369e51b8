import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InteropClient } from './interop-client.ts';

/** One client on one server, over one transport. */
export interface Pairing {
  readonly era: 'legacy' | 'modern';
  /**
   * Whether a report of progress may be lost when the result arrives in the same chunk, as it is by
   * the official clients.
   */
  readonly progressMayBeLost?: boolean;
  readonly connect: () => Promise<InteropClient>;
}

/** How often the server is asked whether a cancel has arrived. */
const MAX_LOOKS = 500;

/** What every client and server must be able to do with each other, also without any memory. */
export function itInteroperates({ era, connect, progressMayBeLost = false }: Pairing): void {
  let client: InteropClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('agrees on the era and learns who the server is', () => {
    expect(client.era()).toBe(era);
    expect(client.serverName()).toBe('interop');
  });

  it('lists the tools', async () => {
    expect(await client.toolNames()).toEqual(['echo', 'steps', 'wait', 'fail', 'ask']);
  });

  it('calls a tool and gets text and structure', async () => {
    const result = await client.call('echo', { text: 'grüße \u{1F6A2}' });
    expect(result).toEqual({
      text: 'grüße \u{1F6A2}',
      structured: { text: 'grüße \u{1F6A2}' },
      isError: false,
    });
  });

  it('runs calls side by side and answers each its own', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `call ${String(index)}`);
    const results = await Promise.all(texts.map((text) => client.call('echo', { text })));
    expect(results.map((result) => result.text)).toEqual(texts);
  });

  it('reports progress in order before the result', async () => {
    const seen: number[] = [];
    const { text } = await client.call('steps', { count: 4 }, { onprogress: (step) => seen.push(step) });
    expect(text).toBe('done');
    expect(seen).toEqual([1, 2, 3, 4].slice(0, progressMayBeLost ? seen.length : 4));
  });

  it('gets a failing tool as an error result and an unknown one as a failure', async () => {
    const failed = await client.call('fail', {});
    expect(failed).toMatchObject({ isError: true, text: 'on purpose' });
    // The official server 1 answers an unknown tool with an error result.
    const unknown = await client.call('nobody', {}).then(
      ({ isError }) => isError,
      (error: unknown) => (error as { code?: unknown }).code,
    );
    expect([true, -32_602]).toContain(unknown);
  });

  it('reads resources, also by template, and learns that one is missing', async () => {
    expect(await client.resourceUris()).toEqual(['interop://stopped']);
    expect(await client.templateUris()).toEqual(['interop://words/{word}']);
    expect(await client.read('interop://words/hello')).toBe('HELLO');
    const missing = client.read('interop://nowhere');
    const error = (await missing.catch((thrown: unknown) => thrown)) as { code?: unknown };
    expect([-32_602, -32_002]).toContain(error.code);
  });

  it('gets a prompt', async () => {
    expect(await client.prompt('greet', { who: 'Ada' })).toBe('Greet Ada');
  });
}

/** What a lasting connection adds: calls that are cancelled, and questions in the middle of a call. */
export function itConverses({ connect }: Pairing): void {
  let client: InteropClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('cancels a call, which the tool notices', async () => {
    const before = Number(await client.read('interop://stopped'));
    const controller = new AbortController();
    const call = client.call(
      'wait',
      {},
      { signal: controller.signal, onprogress: () => controller.abort(new TypeError('enough')) },
    );
    expect(await call.catch((error: unknown) => error)).toBeInstanceOf(Error);
    let stopped = before;
    for (let look = 0; look < MAX_LOOKS && stopped === before; look++) {
      stopped = Number(await client.read('interop://stopped'));
    }
    expect(stopped).toBe(before + 1);
  });

  it('lets the tool ask the person in the middle of a call', async () => {
    expect(await client.call('ask', {})).toMatchObject({ text: 'Ada', isError: false });
  });
}
