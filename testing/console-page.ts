import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { HostProcess } from './host-process.ts';
import { serverEntry } from './npm-servers.ts';

export interface ConsolePage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Uncaught errors and console errors of the page so far. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export interface ConsolePageOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Keep the session of this context in place of following the launch link. */
  readonly context?: BrowserContext;
}

/** Signs a fresh browser profile in by the launch link and waits for the first screen. */
export async function openConsole(
  browser: Browser,
  host: HostProcess,
  options: ConsolePageOptions = {},
): Promise<ConsolePage> {
  const { width = 1280, colorScheme = 'light' } = options;
  const context =
    options.context ?? (await browser.newContext({ viewport: { width, height: 800 }, colorScheme }));
  // Waiting costs nothing where it ends early, and a slow machine takes its time.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`.trim());
  });
  await page.goto(options.context === undefined ? host.launchLink : host.origin);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { context, page, problems, close: () => context.close() };
}

/** Adds a stdio connector through the dialog and approves its command. */
export async function addByCommand(page: Page, name: string, line: string): Promise<void> {
  await fillCommand(page, name, line);
  await page.getByRole('button', { name: 'Run this command' }).click();
  await openConnector(page, name);
}

/** Adds a stdio connector through the dialog; its command is not approved yet. */
// oxlint-disable-next-line max-params -- variables are seldom needed
export async function fillCommand(
  page: Page,
  name: string,
  line: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const dialog = await openAddDialog(page, 'Command');
  await dialog.getByLabel('Command line').fill(line);
  await dialog.getByLabel('Program').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  for (const [variable, value] of Object.entries(variables)) {
    // oxlint-disable no-await-in-loop -- as a person fills them in
    await dialog.getByRole('button', { name: 'Add variable' }).click();
    await dialog.getByRole('textbox', { name: 'Variable', exact: true }).last().fill(variable);
    await dialog.getByLabel(`Value of ${variable}`).fill(value);
    // oxlint-enable no-await-in-loop
  }
  await dialog.getByRole('button', { name: 'Add', exact: true }).last().click();
}

/** Opens a connector's own screen. */
export async function openConnector(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Connectors' }).first().click();
  await page.getByRole('main').getByRole('link', { name }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Adds a connector by address through the dialog. */
export async function addByAddress(page: Page, name: string, url: string): Promise<void> {
  const dialog = await openAddDialog(page, 'Address');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('button', { name: 'Add', exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
  await openConnector(page, name);
}

/** Opens the dialog on one of its three ways. */
export async function openAddDialog(page: Page, way: string): Promise<Locator> {
  await page.getByRole('link', { name: 'Connectors' }).first().click();
  await page.getByRole('button', { name: 'Add connector' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: way }).click();
  return dialog;
}

/** The command line of a real server from npm, as a person would paste it. */
export const everythingLine = (): string => `${process.execPath} ${serverEntry('server-everything')} stdio`;

/** Picks a tool in the message box of the open conversation; its form is then shown. */
export async function pickTool(page: Page, tool: string): Promise<void> {
  const box = page
    .getByRole('combobox')
    .or(page.getByRole('textbox', { name: /Message|Search a tool/ }))
    .last();
  await box.fill(`/${tool}`);
  await page
    .getByRole('option', { name: new RegExp(tool) })
    .first()
    .click();
}

/** Runs the picked tool. */
export async function runTool(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Run/ }).click();
}

/** Sends a message to the model in the open conversation. */
export async function sendToModel(page: Page, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(message);
  await page.getByRole('button', { name: 'Send' }).click();
}
