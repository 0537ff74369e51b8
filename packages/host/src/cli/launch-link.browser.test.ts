import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../../testing/browser.ts';
import { PORTICO, startHost } from '../../../../testing/host-process.ts';
import type { HostProcess } from '../../../../testing/host-process.ts';
import { http } from '../../../../testing/http.ts';
import { startProgram } from '../../../../testing/processes.ts';

const NOBODY = 65_534;

/** What `portico doctor --link` answers another user. Only root can try that. */
async function linkAsStranger(data: string): Promise<{ code: number | string; out: string }> {
  if (process.getuid?.() !== 0) return { code: 4, out: '' };
  const env = { HOME: '/nonexistent' };
  const program = startProgram([PORTICO, 'doctor', '--link', '--data', data], { uid: NOBODY, env });
  return { code: await program.ended, out: program.stdout() };
}

describe('a launch link in a browser', () => {
  let data: string;
  let host: HostProcess;
  let browser: Browser;
  beforeEach(async () => {
    data = mkdtempSync(join(tmpdir(), 'portico-launch-'));
    host = await startHost({ dataFolder: data });
    browser = await launchBrowser();
  });
  afterEach(async () => {
    await browser.close();
    await host.kill();
    rmSync(data, { recursive: true });
  });

  const freshLink = async (): Promise<string> => {
    const doctor = startProgram([PORTICO, 'doctor', '--link', '--data', data]);
    expect(await doctor.ended).toBe(0);
    return doctor.stdout().trim();
  };

  it('K112 gives a session once; nothing else does, and nobody else of the machine gets one', async () => {
    // A bare visit shows only how to get a link, and no route answers without a session.
    const context = await browser.newContext();
    const page = await context.newPage();
    const bare = await page.goto(host.origin);
    expect(bare?.status()).toBe(401);
    const text = await page.innerText('body');
    expect(text).toContain('portico serve');
    expect(text).toContain('portico doctor --link');
    expect(await page.locator('form, input, button').count()).toBe(0);
    for (const path of [
      '/',
      '/api/bootstrap',
      '/api/version',
      '/api/events',
      '/assets/none.js',
      '/connectors',
    ]) {
      expect([path, (await http(`${host.origin}${path}`)).status]).toEqual([path, 401]);
    }

    // The link, as a person opens it.
    const referers: string[] = [];
    page.on('request', (request) => referers.push(request.headers()['referer'] ?? ''));
    await page.goto(host.launchLink);
    await page.waitForURL(`${host.origin}/**`);
    await page.waitForFunction('location.pathname !== "/launched"');
    expect(await page.evaluate("fetch('/api/bootstrap').then((answer) => answer.status)")).toBe(200);
    const token = new URL(host.launchLink).searchParams.get('token') ?? '';
    expect(token.length).toBeGreaterThan(26);
    expect(page.url()).not.toContain(token);
    expect(referers.join(' ')).not.toContain(token);
    for (let steps = 0; steps < 3; steps++) {
      const response = await page.goBack().catch(() => null);
      expect(response?.url() ?? '').not.toContain(token);
      expect(page.url()).not.toContain(token);
    }

    // The cookie is the console's own, and named with its port.
    const cookies = await context.cookies();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatchObject({
      name: `portico_session_${host.port}`,
      domain: 'portico.localhost',
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
    });

    // Used once: another browser gets nothing by it.
    const other = await (await browser.newContext()).newPage();
    expect((await other.goto(host.launchLink))?.status()).toBe(401);
    expect((await other.goto(host.origin))?.status()).toBe(401);

    // Neither what the host printed nor what it stored helps with a used token or a session.
    expect(host.program.stderr()).not.toContain(token);
    const stored = ['portico.db', 'portico.db-wal']
      .map((name) => readFileSync(join(data, name), 'latin1'))
      .join('');
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(cookies[0]?.value);

    // Another user of the machine gets no link.
    expect(await linkAsStranger(data)).toEqual({ code: 4, out: '' });
    // The owner does.
    expect((await other.goto(await freshLink()))?.status()).toBe(200);
  });

  it('opens the console from a file and from a page of another site', async () => {
    const file = join(data, 'forward.html');
    writeFileSync(file, `<meta http-equiv="refresh" content="0; url=${await freshLink()}">`);
    const fromFile = await (await browser.newContext()).newPage();
    await fromFile.goto(`file://${file}`);
    await fromFile.waitForURL(`${host.origin}/`);
    expect(await fromFile.innerText('body')).not.toContain('needs a launch link');

    const fromSite = await (await browser.newContext()).newPage();
    await fromSite.route('http://mail.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<a>open</a>' }),
    );
    await fromSite.goto('http://mail.example/');
    const link = await freshLink();
    await fromSite.evaluate((href) => document.querySelector('a')?.setAttribute('href', href), link);
    await fromSite.click('a');
    await fromSite.waitForURL(`${host.origin}/`);
    expect(await fromSite.innerText('body')).not.toContain('needs a launch link');
  });
});
