import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';

const STORE_PAGE = `<!doctype html><title>stored</title><script>
  const seen = localStorage.getItem('mark');
  if (seen === null) localStorage.setItem('mark', location.search);
  parent.postMessage(seen ?? 'nothing', '*');
</script>`;
const TOP_PAGE = `<!doctype html><title>top</title><script>
  window.seen = new Promise((resolve) => addEventListener('message', (event) => resolve(event.data)));
</script>`;

let browser: Browser;
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(request.url?.startsWith('/stored') === true ? STORE_PAGE : TOP_PAGE);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  server.close();
});

it('keeps the storage of an embedded site apart for each embedding site, as browsers do', async () => {
  const { port } = server.address() as AddressInfo;
  const context = await browser.newContext();
  const stored: string[] = [];
  for (const top of ['one.localhost', 'two.localhost', 'one.localhost']) {
    const page = await context.newPage();
    await page.goto(`http://${top}:${port}/`);
    const seen = await page.evaluate(
      async ([address]) => {
        const frame = document.createElement('iframe');
        frame.src = address;
        document.body.append(frame);
        return await (window as unknown as { seen: Promise<string> }).seen;
      },
      [`http://embedded.localhost:${port}/stored?${top}`] as [string],
    );
    stored.push(seen);
  }
  expect(stored).toEqual(['nothing', 'nothing', '?one.localhost']);
});
