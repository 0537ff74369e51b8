import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { openAddDialog, openConnector, openConsole } from '../testing/console-page.ts';
import { PORTICO, startHost, temporaryFolder } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { http } from '../testing/http.ts';
import { startProgram } from '../testing/processes.ts';
import { startScriptedModel } from '../testing/scripted-model.ts';
import type { ScriptedModel } from '../testing/scripted-model.ts';
import { say, unauthorized } from '../testing/scripted-reply.ts';
import type { ScriptedReply } from '../testing/scripted-reply.ts';
import { cookieOf, filesOf, pageText, placesOf, recordAnswers, recordStream } from '../testing/seen-text.ts';
import type { RecordedStream, SeenText } from '../testing/seen-text.ts';

const TYPED = 'canary-typed-variable-7f3a';
const PASTED = 'canary-pasted-variable-19c2';
const HEADER = 'canary-header-value-55d0';
const REPLACED = 'canary-replaced-variable-a8e4';
const MODEL_KEY = 'canary-model-key-c61b';
const CANARIES = [TYPED, PASTED, HEADER, REPLACED, MODEL_KEY];
/** Names are no secrets: the scans must find them, or they look in the wrong places. */
const NAME = 'VARIABLE_THAT_MAY_BE_SEEN';

const data = temporaryFolder('secrets');
const work = temporaryFolder('secrets-work');
const proof = (name: string): string => join(work.path, name);
/** Writes the variable it was given to a file and ends. */
const proofScript = (file: string): string =>
  `require("node:fs").writeFileSync(${JSON.stringify(proof(file))}, process.env.${NAME} ?? "none")`;

let browser: Browser;
let model: ScriptedModel;
let server: Server;
let host: HostProcess;
let page: Page;
let stream: RecordedStream;
let answers: () => Promise<readonly SeenText[]>;
const headersSeen: string[] = [];
const pages: SeenText[] = [];
let replies: ScriptedReply[] = [];

beforeAll(async () => {
  model = await startScriptedModel({ script: () => replies.shift() ?? say('The script has ended.') });
  server = createServer((request, response) => {
    headersSeen.push(String(request.headers['x-portico-test']));
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: MODEL_KEY };
  [browser, host] = await Promise.all([launchBrowser(), startHost({ dataFolder: data.path, env })]);
  let context;
  ({ page, context } = await openConsole(browser, host));
  answers = recordAnswers(context);
  stream = await recordStream(host.origin, await cookieOf(context));
  await page.reload();
});

afterAll(async () => {
  stream?.close();
  await browser?.close();
  await host?.stop();
  await model?.close();
  server?.close();
  data.remove();
  work.remove();
});

const look = async (where: string): Promise<void> => void pages.push(await pageText(page, where));
const failed = (): Promise<void> =>
  page.getByRole('main').getByText('failed', { exact: true }).first().waitFor();

async function edit(): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByText('set', { exact: true }).first().waitFor();
}

describe('secret values, once they are saved', () => {
  it('reach the programs and servers that they are for', async () => {
    const command = await openAddDialog(page, 'Command');
    await command.getByLabel('Command line').fill(`${process.execPath} -e '${proofScript('typed')}'`);
    await command.getByLabel('Program').waitFor();
    await command.getByLabel('Name', { exact: true }).fill('typed');
    await command.getByRole('button', { name: 'Add variable' }).click();
    await command.getByRole('textbox', { name: 'Variable', exact: true }).fill(NAME);
    await command.getByLabel(`Value of ${NAME}`).fill(TYPED);
    await command.getByRole('button', { name: 'Add', exact: true }).last().click();
    const approve = page.getByRole('button', { name: 'Run this command' });
    await approve.waitFor();
    await look('approval of the typed command');
    await approve.click();
    await openConnector(page, 'typed');
    await failed();
    expect(readFileSync(proof('typed'), 'utf8')).toBe(TYPED);

    const address = await openAddDialog(page, 'Address');
    const { port } = server.address() as AddressInfo;
    await address.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${port}/mcp`);
    await address.getByLabel('Name', { exact: true }).fill('remote');
    await address.getByRole('button', { name: 'Add header' }).click();
    await address.getByRole('textbox', { name: 'Header', exact: true }).fill('x-portico-test');
    await address.getByLabel('Value of x-portico-test').fill(HEADER);
    await address.getByRole('button', { name: 'Add', exact: true }).last().click();
    await address.waitFor({ state: 'detached' });
    await openConnector(page, 'remote');
    await failed();
    expect(new Set(headersSeen)).toEqual(new Set([HEADER]));

    const paste = await openAddDialog(page, 'Paste configuration');
    const entry = { command: process.execPath, args: ['-e', proofScript('pasted')], env: { [NAME]: PASTED } };
    await paste
      .getByRole('textbox', { name: 'Configuration' })
      .fill(JSON.stringify({ mcpServers: { pasted: entry } }));
    const read = paste.getByRole('button', { name: 'Read' });
    if (await read.isVisible()) await read.click();
    await paste.getByRole('button', { name: /Add 1 connector/ }).click();
    await approve.click();
    await openConnector(page, 'pasted');
    await failed();
    expect(readFileSync(proof('pasted'), 'utf8')).toBe(PASTED);
  });

  it('are shown as set when the connector is edited, and can be replaced without being read', async () => {
    await openConnector(page, 'remote');
    await edit();
    await look('editing headers');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await openConnector(page, 'typed');
    await edit();
    await look('editing variables');
    const dialog = page.getByRole('dialog');
    // The file as it is after the next run tells which value that run was given.
    await dialog.getByRole('button', { name: 'Replace' }).click();
    expect(await dialog.getByLabel(`Value of ${NAME}`).inputValue()).toBe('');
    await dialog.getByLabel(`Value of ${NAME}`).fill(REPLACED);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => readFileSync(proof('typed'), 'utf8')).toBe(REPLACED);
    await edit();
    await look('editing the replaced variable');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('of the model are sent to the model only, whatever it answers', async () => {
    replies = [unauthorized(`the key ${MODEL_KEY} is not valid`), say('A plain answer.')];
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello.');
    await page.keyboard.press('Enter');
    const main = page.getByRole('main');
    await main.getByText('The model refused the key', { exact: true }).waitFor();
    await look('the card of a refused key');
    await page.getByRole('button', { name: 'Try again' }).click();
    await main.getByText('A plain answer.').waitFor();
    expect(model.requests.map(({ headers }) => headers['x-api-key'])).toEqual([MODEL_KEY, MODEL_KEY]);
  });
});

describe('afterwards', () => {
  it('no screen, answer, event, command, file or line of output holds a value in any usual encoding', async () => {
    for (const link of ['Home', 'Connectors', 'Artifacts', 'Settings']) {
      // oxlint-disable-next-line no-await-in-loop -- one page
      await page.getByRole('link', { name: link }).first().click();
      // oxlint-disable-next-line no-await-in-loop -- one page
      await page.getByRole('heading', { level: 1 }).waitFor();
      // oxlint-disable-next-line no-await-in-loop -- one page
      await look(link);
    }
    for (const name of ['typed', 'pasted', 'remote']) {
      // oxlint-disable-next-line no-await-in-loop -- one page
      await openConnector(page, name);
      // oxlint-disable-next-line no-await-in-loop -- one page
      await page.getByRole('tab', { name: 'Details' }).click();
      // oxlint-disable-next-line no-await-in-loop -- one page
      await look(`details of ${name}`);
    }
    expect(placesOf([NAME], pages)).not.toEqual([]);
    expect(placesOf(CANARIES, pages)).toEqual([]);

    // Reading a configuration answers what was pasted, before anything of it is saved.
    const received = (await answers()).filter(({ where }) => !where.endsWith('/api/connectors/import'));
    expect(placesOf([NAME], received)).not.toEqual([]);
    expect(placesOf(CANARIES, received)).toEqual([]);

    const direct = await readApi();
    expect(placesOf([NAME], direct)).not.toEqual([]);
    expect(placesOf(CANARIES, direct)).toEqual([]);

    await stream.waitFor('A plain answer.');
    expect(placesOf([NAME], [stream.seen()])).not.toEqual([]);
    expect(placesOf(CANARIES, [stream.seen()])).toEqual([]);

    const printed = await Promise.all(
      [['list'], ['list', '--json'], ['doctor'], ['doctor', '--json']].map(run),
    );
    expect(placesOf(['typed'], printed)).not.toEqual([]);
    expect(placesOf(CANARIES, printed)).toEqual([]);

    expect(existsSync(join(data.path, 'portico.db-wal'))).toBe(true);
    expect(placesOf([NAME], filesOf(data.path))).not.toEqual([]);
    expect(placesOf(CANARIES, filesOf(data.path))).toEqual([]);
    await host.kill();
    expect(placesOf(CANARIES, filesOf(data.path))).toEqual([]);

    const output = ['stdout', 'stderr'] as const;
    const written = output.map((where) => ({ where, bytes: Buffer.from(host.program[where]()) }));
    expect(placesOf([host.launchLink], written)).not.toEqual([]);
    expect(placesOf(CANARIES, written)).toEqual([]);
  });
});

/** What the API tells to whoever asks it directly, with the session of the page. */
async function readApi(): Promise<readonly SeenText[]> {
  const cookie = await cookieOf(page.context());
  const get = async (path: string): Promise<SeenText> => {
    const { status, headers, text } = await http(host.origin + path, { headers: { cookie } });
    expect([path, status]).toEqual([path, 200]);
    return { where: `GET ${path}`, bytes: Buffer.from(JSON.stringify(headers) + text) };
  };
  const bootstrap = await get('/api/bootstrap');
  const { connectors, conversations } = JSON.parse(
    bootstrap.bytes.toString().replace(/^\{.*?\}(?=\{)/, ''),
  ) as Record<'connectors' | 'conversations', readonly { readonly id: string }[]>;
  return [
    bootstrap,
    ...(await Promise.all([
      get('/api/version'),
      get('/api/connectors'),
      ...connectors.map(({ id }) => get(`/api/connectors/${id}/tools`)),
      ...conversations.map(({ id }) => get(`/api/conversations/${id}`)),
    ])),
  ];
}

/** Runs the command on the data of the running host. */
async function run(args: readonly string[]): Promise<SeenText> {
  const program = startProgram([PORTICO, ...args, '--data', data.path], {
    env: { ANTHROPIC_API_KEY: MODEL_KEY, ANTHROPIC_BASE_URL: model.url },
  });
  await program.ended;
  return {
    where: `portico ${args.join(' ')}`,
    bytes: Buffer.from(`${program.stdout()}\n${program.stderr()}`),
  };
}
