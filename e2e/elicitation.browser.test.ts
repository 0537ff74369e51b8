import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer, acceptedContent, createMcpHandler, inputRequired } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { launchBrowser } from '../testing/browser.ts';
import { addByAddress, openConsole } from '../testing/console-page.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';

/** Where screenshots go when somebody wants to look at them. */
const SHOTS = process.env['PORTICO_SHOTS'];

let browser: Browser;
let host: HostProcess;
let asking: Server;
let page: Page;

/** A server whose tool books a table once it knows for how many. */
function bookingServer(): McpServer {
  const server = new McpServer({ name: 'booking', version: '1.0.0' });
  server.registerTool('book', { description: 'Books a table' }, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.['people'] as { readonly action?: string } | undefined;
    const accepted = acceptedContent<{ count: number }>(mcpReq.inputResponses, 'people');
    if (accepted !== undefined)
      return { content: [{ type: 'text', text: `A table for ${String(accepted.count)}.` }] };
    if (answer !== undefined)
      return { content: [{ type: 'text', text: `It was ${String(answer.action)}.` }] };
    return inputRequired({
      inputRequests: {
        people: {
          method: 'elicitation/create',
          params: {
            message: 'How many of you are coming?',
            requestedSchema: {
              type: 'object',
              properties: { count: { type: 'integer', title: 'People', minimum: 1, maximum: 12 } },
              required: ['count'],
            },
          },
        },
      },
    });
  });
  return server;
}

beforeAll(async () => {
  const handle = toNodeHandler(createMcpHandler(bookingServer));
  asking = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => asking.listen(0, '127.0.0.1', resolve));
  [browser, host] = await Promise.all([launchBrowser(), startHost()]);
  ({ page } = await openConsole(browser, host));
  const { port } = asking.address() as AddressInfo;
  await addByAddress(page, 'booking', `http://127.0.0.1:${port}/mcp`);
  await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  asking.closeAllConnections();
  asking.close();
});

const panel = (): Locator => page.getByRole('complementary');
const question = (): Locator => panel().getByText('How many of you are coming?');

async function begin(): Promise<void> {
  await page.reload();
  await panel().getByRole('button', { name: 'Run', exact: true }).click();
  await question().waitFor();
}

describe('a question of a server in the middle of a call', () => {
  it('K72 is shown where the tool was tried, says who asks, and its answer goes on with the call', async () => {
    await page.getByRole('main').getByRole('link', { name: 'book' }).click();
    await begin();
    const form = panel().getByRole('form').filter({ hasText: 'How many of you are coming?' });
    expect(await form.innerText()).toContain('booking');
    expect(await seriousFindings(page)).toEqual([]);
    await shoot();
    await form.getByRole('button', { name: 'Answer' }).click();
    // Nothing is sent while something is missing.
    await question().waitFor();
    await form.getByLabel('People').fill('4');
    await form.getByRole('button', { name: 'Answer' }).click();
    await panel().getByText('A table for 4.').first().waitFor();
    expect(await question().count()).toBe(0);
  });

  it('K72 can be declined, and can be closed without an answer', async () => {
    await begin();
    await panel().getByRole('button', { name: 'Decline' }).click();
    await panel().getByText('It was decline.').first().waitFor();
    await begin();
    await panel().getByRole('button', { name: 'Close', exact: true }).last().click();
    await panel().getByText('It was cancel.').first().waitFor();
  });
});

async function shoot(): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      // oxlint-disable no-await-in-loop -- one page
      await page.setViewportSize({ width, height: 860 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: join(SHOTS, `question-${width}-${colorScheme}.png`) });
      // oxlint-enable no-await-in-loop
    }
  }
  await page.setViewportSize({ width: 1280, height: 860 });
}
