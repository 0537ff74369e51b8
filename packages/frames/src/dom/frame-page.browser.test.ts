import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callFrom, createFrameWorld } from '../../../../testing/frame-world.ts';
import type { FrameWorld, PageWindow } from '../../../../testing/frame-world.ts';

let world: FrameWorld;
beforeAll(async () => {
  world = await createFrameWorld();
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  await world.reload();
});

const FIRST = '<script>window.seen = typeof window.claude?.mcp?.callTool</script>';

describe('a published page in the shell', () => {
  it.each([
    ['a usual document', `<!doctype html><html lang="en"><head>${FIRST}</head><body>`],
    ['no head', `<!doctype html><body>${FIRST}`],
    ['no doctype', `<html>${FIRST}`],
    ['nothing but a script', FIRST],
    ['a leading comment', `<!-- <head> --><!doctype html>${FIRST}`],
    ['a byte order mark', `\uFEFF<!doctype html>${FIRST}`],
    ['a script in front of the doctype', `${FIRST}<!doctype html><p>`],
    ['a base address', `<!doctype html><base href="https://elsewhere.example/">${FIRST}`],
    ['an XML declaration', `<?xml version="1.0"?><!doctype html>${FIRST}`],
    ['text first', `plain words ${FIRST}`],
    ['a frameset', `<!doctype html><head>${FIRST}</head><frameset></frameset>`],
  ])('F1 F2 sees window.claude in its first script: %s', async (_name, html) => {
    const frame = await world.mount(world.publish(html));
    expect(await frame.evaluate(() => window.seen)).toBe('function');
    expect(await callFrom(frame)).toMatchObject({ payload: { n: 1 } });
  });

  it('F2 has the kernel in front of its own policy, whatever that forbids', async () => {
    const html = `<!doctype html><meta http-equiv="content-security-policy" content="script-src 'none'">${FIRST}`;
    const frame = await world.mount(world.publish(html));
    expect(await frame.evaluate(() => window.seen)).toBeUndefined();
    expect(await callFrom(frame)).toMatchObject({ payload: { n: 1 } });
  });

  it('keeps mode, language, attributes and characters', async () => {
    const frame = await world.mount(world.publish('<!doctype html><html lang="de"><body class="x">é<p>'));
    expect(
      await frame.evaluate(() => [
        document.compatMode,
        document.documentElement.lang,
        document.body.className,
        document.scripts.length,
        document.body.textContent,
      ]),
    ).toEqual(['CSS1Compat', 'de', 'x', 0, 'é']);
    const quirks = await world.mount(world.publish('<html><body>'));
    expect(await quirks.evaluate(() => document.compatMode)).toBe('BackCompat');
  });

  it('F3 cannot change what it was given, at any level, and can still call', async () => {
    const frame = await world.mount(world.publish('<!doctype html>'));
    const results = await frame.evaluate(() => {
      'use strict';
      const root = (window as unknown as { claude: Record<string, unknown> }).claude;
      const mcp = root['mcp'] as Record<string, unknown>;
      const levels = [
        root,
        mcp,
        root['permissions'],
        mcp['callTool'],
        mcp['watchTool'],
        mcp['listTools'],
        mcp['invalidate'],
      ];
      const attempts: (() => unknown)[] = [
        () => ((window as unknown as { claude: unknown }).claude = 1),
        () => delete (window as unknown as { claude?: unknown }).claude,
        () => Object.defineProperty(window, 'claude', { value: 1 }),
      ];
      for (const level of levels as Record<string, unknown>[]) {
        attempts.push(
          () => (level['added'] = 1),
          () => Object.defineProperty(level, 'other', { value: 1 }),
          () => Object.setPrototypeOf(level, { x: 1 }),
        );
        for (const key of Object.keys(level)) {
          attempts.push(
            () => (level[key] = 1),
            () => delete level[key],
          );
        }
      }
      return attempts.map((attempt) => {
        try {
          attempt();
          return 'allowed';
        } catch (error) {
          return (error as Error).name;
        }
      });
    });
    expect(new Set(results)).toEqual(new Set(['TypeError']));
    expect(await callFrom(frame)).toMatchObject({ payload: { n: 1 } });
  });

  it('has no mcp member when it declared no use of connectors', async () => {
    const frame = await world.mount(world.publish('<!doctype html>', false));
    expect(await frame.evaluate(() => Object.keys((window as unknown as { claude: object }).claude))).toEqual(
      ['permissions'],
    );
  });

  it('F11 has only the documented members', async () => {
    const frame = await world.mount(world.publish('<!doctype html>'));
    expect(
      await frame.evaluate(() => Reflect.ownKeys((window as unknown as { claude: object }).claude)),
    ).toEqual(['mcp', 'permissions']);
  });

  it('F66 F67 refuses as input whatever is not plain JSON, at any depth', async () => {
    const frame = await world.mount(world.publish('<!doctype html>'));
    const codes = await frame.evaluate(async () => {
      class Box {
        value = 1;
      }
      const throwing = Object.defineProperty({}, 'x', {
        enumerable: true,
        get: () => {
          throw new Error('no');
        },
      });
      const kinds: unknown[] = [
        new Map(),
        new Set(),
        new Date(),
        new Uint8Array(1),
        new ArrayBuffer(1),
        new Blob([]),
        1n,
        () => 1,
        Symbol('x'),
        document.body,
        new Box(),
        Object(1),
        Object('x'),
        /x/,
        new Error('x'),
        new Proxy({}, {}),
        { toJSON: () => 1 },
        throwing,
      ];
      const { callTool } = (window as unknown as PageWindow).claude.mcp;
      const codeOf = async (input: unknown): Promise<unknown> =>
        await callTool?.('Acme', 'get', input).then(
          () => 'sent',
          (error: { code: string }) => error.code,
        );
      return await Promise.all(kinds.flatMap((kind) => [codeOf(kind), codeOf({ a: { b: [kind] } })]));
    });
    expect(codes).toHaveLength(36);
    expect(new Set(codes)).toEqual(new Set(['bad_request']));
    expect(await world.page.evaluate(() => window.calls)).toEqual([]);
  });

  it('F162 takes AbortSignal.timeout as a deadline, and an abort after the answer as nothing', async () => {
    const frame = await world.mount(world.publish('<!doctype html>'), { hold: true });
    const code = await frame.evaluate(() => {
      const { callTool } = (window as unknown as PageWindow).claude.mcp;
      return callTool?.('Acme', 'get', {}, { signal: AbortSignal.timeout(50) }).catch(
        (error: { code: string }) => error.code,
      );
    });
    expect(code).toBe('cancelled');
    await world.page.waitForFunction(() => window.signals[0]?.aborted === true);
    const done = frame.evaluate(async () => {
      const { callTool } = (window as unknown as PageWindow).claude.mcp;
      const controller = new AbortController();
      const result = await callTool?.('Acme', 'get', {}, { signal: controller.signal });
      controller.abort();
      return result;
    });
    await world.page.waitForFunction(() => window.answers.length === 2);
    await world.page.evaluate(() => window.answers[1]?.(undefined));
    expect(await done).toMatchObject({ payload: { n: 1 } });
    expect(await world.page.evaluate(() => window.signals[1]?.aborted)).toBe(false);
  });

  it('F10 has no window.claude when it is opened by itself', async () => {
    const name = world.publish(`<!doctype html>${FIRST}`);
    await world.page.goto(`${world.site.origin(name)}/frame/t`);
    expect(await world.page.evaluate(() => 'claude' in window)).toBe(false);
  });

  it('asks the viewer at its first call', async () => {
    const frame = await world.mount(world.publish('<!doctype html>'), { allow: false });
    expect(await Promise.all([callFrom(frame), callFrom(frame), callFrom(frame)])).toMatchObject([
      { payload: { n: 1 } },
      {},
      {},
    ]);
    expect(await world.page.evaluate(() => window.asked)).toEqual([['Acme']]);
  });

  it('survives author code that tampers with built-ins', async () => {
    const hostile = `<script>
      Promise.prototype.then = () => { throw new Error('then') };
      JSON.parse = JSON.stringify = () => { throw new Error('json') };
      Map.prototype.get = Map.prototype.set = () => undefined;
      MessagePort.prototype.postMessage = () => undefined;
      Array.prototype[Symbol.iterator] = () => { throw new Error('iterator') };
      Object.defineProperty(Object.prototype, 'error', { get: () => ({ code: 'x' }) });
      Object.defineProperty(Object.prototype, 'isError', { get: () => true });
    </script><script>
      (async () => { try { console.log('payload', (await claude.mcp.callTool('Acme', 'get')).payload.n) } catch (error) { console.log('failed', error.code) } })();
    </script>`;
    const said = world.page.waitForEvent('console', (message) => /^(payload|failed)/.test(message.text()));
    await world.mount(world.publish(`<!doctype html>${hostile}`));
    expect((await said).text()).toBe('payload 1');
  });
});
