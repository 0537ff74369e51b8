import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Frame, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { openConsole } from '../testing/console-page.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { http } from '../testing/http.ts';

let host: HostProcess;

beforeAll(async () => {
  host = await startHost();
});

afterAll(async () => {
  await host.stop();
});

/** The innermost frame that has rendered the view of the demo connector. */
async function demoView(page: Page): Promise<Frame> {
  await page.getByRole('button', { name: /Try a view/ }).click();
  const outer = await page.locator('iframe').first().elementHandle();
  const frame = await outer?.contentFrame();
  if (frame === null || frame === undefined) throw new Error('the view has no frame');
  await frame.waitForLoadState();
  const inner = frame.childFrames()[0];
  return inner ?? frame;
}

/** The frame of the demo artifact; whether it may call anything does not matter here. */
async function demoArtifact(page: Page, origin: string): Promise<Frame> {
  await page.goto(`${origin}/`);
  await page.getByRole('button', { name: /Open an artifact/ }).click();
  const outer = await page.locator('iframe').first().elementHandle();
  const frame = await outer?.contentFrame();
  if (frame === null || frame === undefined) throw new Error('the artifact has no frame');
  return frame;
}

describe('one port, many hosts', () => {
  it('K9 tells console, sandbox and foreign hosts apart by Host, gives each its origin, and works without such names', async () => {
    const answer = async (name: string, path: string): Promise<number> =>
      (await http(`http://${name}:${host.port}${path}`)).status;
    const label = 'a'.repeat(32);
    expect(await answer('portico.localhost', '/api/version')).toBe(401);
    expect(await answer('localhost', '/api/version')).toBe(401);
    expect(await answer(`${label}.localhost`, '/api/version')).toBe(404);
    expect(await answer(`${label}.localhost`, '/')).toBe(404);
    expect(await answer('evil.example', '/')).toBe(403);
    expect(await answer('sub.portico.localhost', '/')).toBe(403);

    const browser = await launchBrowser();
    const { page } = await openConsole(browser, host);
    const view = await demoView(page);
    await view.getByRole('button').first().waitFor();
    const viewOrigin = new URL(view.url()).origin;
    const artifact = await demoArtifact(page, host.origin);
    await artifact.getByRole('button').first().waitFor({ state: 'attached' });
    const artifactOrigin = new URL(artifact.url()).origin;
    expect(new Set([host.origin, viewOrigin, artifactOrigin]).size).toBe(3);
    expect(viewOrigin).toMatch(/^http:\/\/[a-z2-7]{32}\.localhost:\d+$/);
    await browser.close();

    await withoutSuchNames();
  });
});

/** The same journey in a browser where only `localhost` itself resolves. */
async function withoutSuchNames(): Promise<void> {
  const browser: Browser = await launchBrowser(['--host-resolver-rules=MAP *.localhost ^NOTFOUND']);
  // A second start joins the running host and prints another link.
  const { launchLink } = await startHost({ port: host.port, dataFolder: host.dataFolder });
  const origin = `http://localhost:${host.port}`;
  const { page } = await openConsole(browser, {
    ...host,
    launchLink: launchLink.replace('portico.localhost', 'localhost'),
    origin,
  });
  const view = await demoView(page);
  await view.getByRole('button').first().waitFor();
  await page
    .getByText(/Without storage of its own/)
    .first()
    .waitFor();
  expect(await view.evaluate('origin')).toBe('null');
  expect(await view.evaluate('(() => { try { return document.cookie } catch { return "refused" } })()')).toBe(
    'refused',
  );
  const artifact = await demoArtifact(page, origin);
  await artifact.getByRole('button').first().waitFor({ state: 'attached' });
  expect(await artifact.evaluate('origin')).toBe('null');
  // Opened by itself, the address is still no page of the console.
  const tab = await page.context().newPage();
  await tab.goto(artifact.url());
  expect(await tab.evaluate('origin')).toBe('null');
  await browser.close();
}
