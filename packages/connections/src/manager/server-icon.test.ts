import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../../testing/manual-clock.ts';
import { iconAddresses } from './icon-address.ts';
import { createServerIcon } from './server-icon.ts';
import type { ServerIcon } from './server-icon.ts';

const SERVER = 'https://server.example:8443/mcp';
const FAVICON = 'https://server.example:8443/favicon.ico';
const PNG = new Uint8Array([1, 2, 3, 250]);
const ICON = 'data:image/png;base64,AQID+g==';

interface IconSetting {
  readonly icon: ServerIcon;
  readonly clock: ManualClock;
  readonly published: string[];
  readonly asked: { url: string; init: RequestInit | undefined }[];
}

type Answer = Response | Error | Promise<Response> | undefined;

const image = (body: BodyInit = PNG, type = 'image/png', status = 200): Response =>
  new Response(body, { status, headers: { 'content-type': type } });

function createIcon(answers: Readonly<Record<string, () => Answer>>): IconSetting {
  const clock = createManualClock();
  const published: string[] = [];
  const asked: IconSetting['asked'] = [];
  const icon = createServerIcon({
    clock,
    publish: (found) => void published.push(found),
    fetch: async (url, init) => {
      asked.push({ url: String(url), init });
      const answer = await answers[String(url)]?.();
      if (answer instanceof Response) return answer;
      throw answer ?? new TypeError('nothing there');
    },
  });
  return { icon, clock, published, asked };
}

describe('iconAddresses', () => {
  it('R119 R121 takes https, data and the own origin, then the favicon, and nobody else', () => {
    const icons = [
      { src: 'http://cdn.example/i.png' },
      { src: 'ftp://cdn.example/i.png' },
      { src: 'javascript:alert(1)' },
      { src: 'https://me:pw@cdn.example/i.png' },
      { src: 'https://cdn.example/i.png' },
      { src: '/own.svg' },
      { src: 'data:image/png;base64,AA==' },
      { src: 7 },
      'x',
    ];
    expect(iconAddresses(SERVER, icons).map(String)).toEqual([
      'https://cdn.example/i.png',
      'https://server.example:8443/own.svg',
      'data:image/png;base64,AA==',
      FAVICON,
    ]);
    expect(
      iconAddresses('http://localhost:3000/mcp', [{ src: 'http://localhost:3000/i.png' }]).map(String),
    ).toEqual(['http://localhost:3000/i.png', 'http://localhost:3000/favicon.ico']);
    expect(iconAddresses(SERVER, undefined).map(String)).toEqual([FAVICON]);
  });

  it('R170 tries a few of many', () => {
    const icons = Array.from({ length: 100 }, (_, index) => ({
      src: `https://cdn.example/${String(index)}`,
    }));
    expect(iconAddresses(SERVER, icons)).toHaveLength(5);
    expect(iconAddresses(SERVER, [{ src: `data:image/png,${'x'.repeat(800_000)}` }])).toHaveLength(1);
  });
});

describe('createServerIcon', () => {
  it('R119 R120 makes a base64 address of an advertised icon, visible before it is handed out', async () => {
    const { icon, published, asked } = createIcon({ 'https://cdn.example/i.png': () => image() });
    icon.opened(SERVER, [{ src: 'https://cdn.example/i.png' }]);
    expect(await icon.ensure()).toBe(ICON);
    expect(published).toEqual([ICON]);
    expect(asked.map(({ url }) => url)).toEqual(['https://cdn.example/i.png']);
  });

  it('R119 takes the favicon where no advertised icon can be had', async () => {
    const { icon, asked } = createIcon({ [FAVICON]: () => image(PNG, 'Image/PNG; charset=x') });
    icon.opened(SERVER, [{ src: 'https://cdn.example/gone.png' }]);
    expect(await icon.ensure()).toBe(ICON);
    expect(asked.map(({ url }) => url)).toEqual(['https://cdn.example/gone.png', FAVICON]);
  });

  it('R120 shares one fetch among all callers of a connection, and asks again with the next', async () => {
    const { icon, published, asked } = createIcon({ [FAVICON]: () => image() });
    icon.opened(SERVER, undefined);
    expect(await Promise.all([icon.ensure(), icon.ensure()])).toEqual([ICON, ICON]);
    expect(await icon.ensure()).toBe(ICON);
    expect(asked).toHaveLength(1);
    icon.opened(SERVER, undefined);
    await icon.ensure();
    expect([asked.length, published.length]).toEqual([2, 2]);
  });

  it('R120 gives null without a connection, without an icon and after the end, and never rejects', async () => {
    const { icon, published } = createIcon({});
    expect(await icon.ensure()).toBeNull();
    icon.opened(SERVER, undefined);
    expect(await icon.ensure()).toBeNull();
    const held = createIcon({ [FAVICON]: () => new Promise<Response>(() => undefined) });
    held.icon.opened(SERVER, undefined);
    const waiting = held.icon.ensure();
    held.icon.closed();
    expect([await waiting, await held.icon.ensure()]).toEqual([null, null]);
    expect([...published, ...held.published]).toEqual([]);
    expect(held.asked[0]?.init?.signal?.aborted).toBe(true);
    expect(held.clock.armed).toBe(0);
  });

  it('R121 sends no credentials and follows nobody elsewhere', async () => {
    const { icon, asked } = createIcon({ [FAVICON]: () => image() });
    icon.opened(SERVER, undefined);
    await icon.ensure();
    expect(asked[0]?.init).toMatchObject({
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
    expect(asked[0]?.init?.headers).toBeUndefined();
  });

  it('R121 waits 5 s for each, and goes on with the next', async () => {
    const { icon, clock, asked } = createIcon({
      'https://cdn.example/slow.png': () => new Promise<Response>(() => undefined),
      [FAVICON]: () => image(),
    });
    icon.opened(SERVER, [{ src: 'https://cdn.example/slow.png' }]);
    await clock.advance(4_999);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(await icon.ensure()).toBe(ICON);
    expect(asked[0]?.init?.signal?.aborted).toBe(true);
    expect(clock.armed).toBe(0);
  });

  it('R121 R170 takes 256 KiB and no byte more, and reads no further', async () => {
    const fits = createIcon({ [FAVICON]: () => image(new Uint8Array(262_144)) });
    fits.icon.opened(SERVER, undefined);
    expect(await fits.icon.ensure()).toMatch(/^data:image\/png;base64,A/);
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const tooLarge = createIcon({ [FAVICON]: () => image(endless) });
    tooLarge.icon.opened(SERVER, undefined);
    expect(await tooLarge.icon.ensure()).toBeNull();
    expect(pulled).toBeLessThan(10);
  });

  it.each([
    ['a page', () => image('<html>', 'text/html')],
    ['a type made up', () => image(PNG, 'image/png"onload=x')],
    ['no type', () => new Response(PNG)],
    ['nothing', () => image('')],
    ['a refusal', () => image(PNG, 'image/png', 404)],
    ['a failure', () => new TypeError('refused')],
  ])('R121 takes %s for no icon', async (_what, answer) => {
    const { icon, published } = createIcon({ [FAVICON]: answer });
    icon.opened(SERVER, undefined);
    expect(await icon.ensure()).toBeNull();
    expect(published).toEqual([]);
  });

  it('R119 makes base64 of an icon that is in its address', async () => {
    const clock = createManualClock();
    const icon = createServerIcon({
      clock,
      publish: () => undefined,
      fetch: (url, init) => globalThis.fetch(url, init),
    });
    icon.opened(SERVER, [{ src: 'data:image/svg+xml,%3Csvg/%3E' }]);
    expect(await icon.ensure()).toBe(`data:image/svg+xml;base64,${btoa('<svg/>')}`);
  });
});
