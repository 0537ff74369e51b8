import { CONNECTOR_STATES } from '@portico/api';
import type { Connector, ConnectorStatus, Conversation } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startAuthorizationServer } from '../testing/authorization-server.ts';
import type { AuthorizationServer } from '../testing/authorization-server.ts';
import { launchBrowser } from '../testing/browser.ts';
import { addByAddress, fillCommand, openConnector, openConsole } from '../testing/console-page.ts';
import { startGuardedServer } from '../testing/guarded-server.ts';
import type { GuardedServer } from '../testing/guarded-server.ts';
import { PORTICO, startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { postJson } from '../testing/http.ts';
import { ROUGH_SERVER } from '../testing/living-processes.ts';
import { startProgram } from '../testing/processes.ts';

/** Notes which states of which connector a tab is told of, one after another and each change once. */
const NOTE_STATES = `{
  const told = (window.toldStates = {});
  const plain = window.fetch.bind(window);
  const note = ({ type, connector }) => {
    if (type !== 'connector.changed') return;
    const states = (told[connector.name] ??= []);
    if (states.at(-1) !== connector.status) states.push(connector.status);
  };
  const listen = async (stream) => {
    let text = '';
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\\n');
      text = lines.pop();
      for (const line of lines) if (line.startsWith('data: ')) note(JSON.parse(line.slice(6)));
    }
  };
  window.fetch = async (...sent) => {
    const response = await plain(...sent);
    if (!String(sent[0]).endsWith('/api/events') || response.body === null) return response;
    const [ours, theirs] = response.body.tee();
    void listen(ours).catch(() => undefined);
    return new Response(theirs, response);
  };
}`;

describe('the state of a connector in two tabs', () => {
  const answers: { now: 'agree' | 'leave' } = { now: 'leave' };
  let browser: Browser;
  let host: HostProcess;
  let guard: AuthorizationServer;
  let server: GuardedServer;
  /** What both tabs should have been told so far, by connector. */
  const expected: Record<string, ConnectorStatus[]> = {};
  /** The one in which something is done, on the connector's page, and one on the page of all. */
  let acting: Page;
  let watching: Page;
  beforeAll(async () => {
    guard = await startAuthorizationServer({ answers, isolated: true });
    [browser, host, server] = await Promise.all([
      launchBrowser(),
      startHost(),
      startGuardedServer(guard, {
        refuse({ method, scopes }) {
          if (scopes === undefined) return { status: 401, challenge: 'Bearer scope="read"' };
          const lacks = method === 'tools/call' && !scopes.includes('write');
          return lacks
            ? { status: 403, challenge: 'Bearer error="insufficient_scope", scope="write"' }
            : undefined;
        },
      }),
    ]);
    const { context } = await openConsole(browser, host);
    await context.addInitScript(NOTE_STATES);
    [{ page: acting }, { page: watching }] = [
      await openConsole(browser, host, { context }),
      await openConsole(browser, host, { context }),
    ];
    await watching.getByRole('link', { name: 'Connectors' }).first().click();
  });
  afterAll(async () => {
    await browser.close();
    await host.stop();
    await server.close();
    await guard.close();
  });

  /** Waits until both tabs were told of exactly these states since the last time, and show the last one. */
  const both = async (name: string, ...statuses: ConnectorStatus[]): Promise<void> => {
    const soFar = (expected[name] = [...(expected[name] ?? []), ...statuses]);
    const word = CONNECTOR_STATES[soFar.at(-1) as ConnectorStatus];
    for (const page of [acting, watching]) {
      const isTold = page.waitForFunction(
        ([of, states]) => Reflect.get(window, 'toldStates')[of]?.join(' ') === states,
        [name, soFar.join(' ')] as const,
      );
      // oxlint-disable-next-line no-await-in-loop -- what a tab was told says what went wrong
      await isTold.catch(async () => expect(await told(page, name)).toEqual(soFar));
    }
    await acting.getByRole('main').getByText(word, { exact: true }).first().waitFor();
    const row = watching.getByRole('listitem').filter({ has: watching.getByRole('link', { name }) });
    await row.getByText(word, { exact: true }).waitFor();
  };
  const told = (page: Page, name: string): Promise<ConnectorStatus[]> =>
    page.evaluate((of) => Reflect.get(window, 'toldStates')[of] as ConnectorStatus[], name);
  const press = (name: string | RegExp): Promise<void> =>
    acting.getByRole('main').getByRole('button', { name }).first().click();
  const menu = async (entry: string): Promise<void> => {
    await acting.getByRole('button', { name: 'More actions' }).click();
    await acting.getByRole('menuitem', { name: entry }).click();
  };
  const post = async <T>(path: string, body: object): Promise<T> => {
    const cookies = await acting.context().cookies(host.origin);
    const cookie = cookies.map((each) => `${each.name}=${each.value}`).join('; ');
    const answer = await postJson(host.origin + path, body, { headers: { cookie, origin: host.origin } });
    expect(answer.status).toBe(200);
    return answer.json() as T;
  };
  const call = async (name: string, tool: string): Promise<void> => {
    const { connectors } = (await acting.evaluate(
      async () => await (await fetch('/api/connectors')).json(),
    )) as { connectors: Connector[] };
    const connectorId = connectors.find((connector) => connector.name === name)?.id;
    const { id } = await post<Conversation>('/api/conversations', {});
    await post(`/api/conversations/${id}/calls`, { connectorId, tool, arguments: {} });
  };

  it('K27 follows a remote one through a sign-in, a refused part, a switch and a loss, each step once', async () => {
    await addByAddress(acting, 'Mail', server.url);
    await both('Mail', 'connecting', 'needs_sign_in');
    await press(/^Sign in/);
    await both('Mail', 'signing_in');
    await press('Cancel');
    await both('Mail', 'needs_sign_in');
    answers.now = 'agree';
    await press('Sign in');
    await both('Mail', 'signing_in', 'connecting', 'ready');
    await call('Mail', 'whoami');
    await both('Mail', 'degraded');
    await press(/^Allow more/);
    // Not ready before the server has taken the new permission.
    await both('Mail', 'connecting', 'ready');
    await menu('Disable');
    await both('Mail', 'disabled');
    await press('Enable');
    await both('Mail', 'connecting', 'ready');
    await server.close();
    await call('Mail', 'whoami');
    await both('Mail', 'connecting', 'failed');
  });

  it('K27 follows a command from its approval on, and the command line says the same', async () => {
    await fillCommand(acting, 'Tool', `${process.execPath} ${ROUGH_SERVER}`);
    await acting.getByRole('button', { name: 'Not now' }).click();
    await openConnector(acting, 'Tool');
    await both('Tool', 'stopped');
    await press('Review command');
    await acting.getByRole('button', { name: 'Run this command' }).click();
    await both('Tool', 'connecting', 'ready');
    await press('Reconnect');
    await both('Tool', 'connecting', 'ready');

    const list = startProgram([PORTICO, 'list', '--data', host.dataFolder]);
    expect(await list.ended).toBe(0);
    expect(list.stdout()).toMatch(/^Tool +ready /m);
    expect(list.stdout()).toMatch(/^Mail +failed .*\n {2}127\.0\.0\.1:\d+ did not take.*\[Reconnect\]$/m);
    const row = watching.getByRole('listitem').filter({ hasText: 'Mail' });
    await row.getByText(/127\.0\.0\.1:\d+ did not take/).waitFor();
  });
});
