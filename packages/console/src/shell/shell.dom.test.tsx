import { act, fireEvent, screen, within } from '@testing-library/react';
import { createInstance } from 'i18next';
import type { i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { describe, expect, it } from 'vitest';
import {
  ARTIFACTS,
  CONNECTORS,
  CONVERSATIONS,
  ITEMS,
  TOOLS,
} from '../../../../testing/console-double-data.ts';
import { CANNED_WORDS } from '../../../../testing/connector-servers.ts';
import { renderConsole } from '../../../../testing/render-console.ts';
import { ConsoleError } from '../errors.ts';
import { en } from '../i18n/en.ts';

const press = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }));

describe('the stream', () => {
  it('is reported as lost after five seconds and not before, with a way to try at once', async () => {
    const console = await renderConsole({ address: '/' });
    await console.settle(0);
    console.services.host.store.setState({ stream: 'lost', lostSinceMs: console.clock.now() });
    await console.settle(4_900);
    expect(screen.queryByText(/No connection to the host/)).toBeNull();
    await console.settle(200);
    expect(screen.getByRole('alert').textContent).toContain('for 5 seconds');
    press('Reconnect now');
    await console.settle();
    expect(screen.queryByText(/No connection to the host/)).toBeNull();
  });

  it('brings changes in without a reload', async () => {
    const console = await renderConsole({ address: '/connectors' });
    const [demo] = CONNECTORS;
    if (demo === undefined) throw new ConsoleError('bad_answer');
    await console.emit({
      type: 'connector.changed',
      connector: { ...demo, name: 'Renamed demo', status: 'degraded' },
    });
    expect(screen.getByRole('link', { name: 'Renamed demo' })).toBeTruthy();
    expect(screen.getByText('degraded')).toBeTruthy();
  });
});

describe('getting around', () => {
  it('counts waiting approvals in the sidebar and the title of the tab', async () => {
    await renderConsole({ address: '/c/c2' });
    expect(document.title).toBe('(1) Which results can there be? · Portico');
    expect(screen.getByText('1 call waits for you')).toBeTruthy();
  });

  it('reaches tools, connectors, artifacts, conversations and pages by a few letters', async () => {
    for (const [query, address] of [
      ['drw char', '/connectors/demo/tools/draw_chart'],
      ['ledger', '/connectors/broken'],
      ['glance', '/artifacts/a1'],
      ['garden', '/c/c1'],
      ['publish', '/artifacts?publish=true'],
      ['langu', '/settings#language'],
    ] as const) {
      const console = await renderConsole({ address: '/settings' });
      fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
      await console.settle();
      const box = screen.getByRole('combobox', { name: /Search conversations/ });
      fireEvent.change(box, { target: { value: query } });
      fireEvent.keyDown(box, { key: 'Enter' });
      await console.settle();
      expect(console.address(), query).toBe(address);
    }
  });

  it('leaves the focus where somebody put it before the new page was done', async () => {
    const console = await renderConsole({ address: '/connectors' });
    const composer = (): HTMLElement | null => document.querySelector<HTMLElement>('main [data-composer]');
    const watcher = new MutationObserver(() => {
      if (composer() === null) return;
      watcher.disconnect();
      composer()?.focus();
      fireEvent.change(composer() as HTMLElement, { target: { value: '/draw' } });
    });
    watcher.observe(document.body, { subtree: true, childList: true });
    fireEvent.click(screen.getAllByRole('link', { name: 'Portico' })[0] as HTMLElement);
    await console.settle();
    expect(document.activeElement).toBe(composer());
    expect(screen.getAllByRole('option').length).toBeGreaterThan(0);
  });

  it('moves the focus to the heading of a new page, and leaves it alone within a page', async () => {
    const console = await renderConsole({ address: '/' });
    fireEvent.click(screen.getByRole('link', { name: 'Artifacts' }));
    await console.settle();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Artifacts' }));
  });

  it('never takes single keys from somebody who types, and stops when switched off', async () => {
    const console = await renderConsole({ address: '/c/c5' });
    fireEvent.keyDown(screen.getByRole('combobox'), { key: 'a' });
    await console.settle();
    expect(console.address()).toBe('/c/c5');
    act(() => console.services.preferences.setState({ shortcuts: false }));
    fireEvent.keyDown(document.body, { key: 'a' });
    await console.settle();
    expect(console.address()).toBe('/c/c5');
    act(() => console.services.preferences.setState({ shortcuts: true }));
    fireEvent.keyDown(document.body, { key: 'a' });
    await console.settle();
    expect(console.address()).toBe('/artifacts');
  });

  it('shows unknown things all alike', async () => {
    for (const address of ['/c/nope', '/connectors/nope', '/artifacts/nope', '/nowhere/at/all']) {
      await renderConsole({ address });
      expect(screen.getByRole('heading', { name: 'There is nothing here' }), address).toBeTruthy();
    }
  });
});

describe('the first screen', () => {
  it('ends each of its three actions in a result', async () => {
    const api = {
      createConversation: async () =>
        ({
          id: 'c5',
          title: 'Demo',
          status: 'idle',
          waitingApprovals: 0,
          createdAtMs: 1,
          updatedAtMs: 1,
        }) as const,
      startCall: async () =>
        ({
          id: 'x',
          type: 'tool_call',
          createdAtMs: 1,
          connectorId: 'demo',
          connectorName: 'Demo',
          tool: 'show_board',
          arguments: {},
          origin: 'person',
          status: 'running',
        }) as const,
    };
    const view = await renderConsole({ address: '/', api });
    press(/Try a view/);
    await view.settle();
    expect(view.callsOf('startCall')[0]?.[1]).toMatchObject({ connectorId: 'demo', tool: 'show_board' });
    expect(view.address()).toBe('/c/c5');
    const artifact = await renderConsole({ address: '/' });
    press(/Open an artifact/);
    await artifact.settle();
    expect(artifact.address()).toBe('/artifacts/a1');
    const connector = await renderConsole({ address: '/' });
    press(/Add a connector/);
    await connector.settle();
    expect(screen.getByRole('dialog', { name: 'Add connector' })).toBeTruthy();
    expect(connector.address()).toBe('/connectors?add=command');
  });

  it('explains how to get in when the browser has no session', async () => {
    await renderConsole({
      address: '/',
      api: { bootstrap: async () => Promise.reject(new ConsoleError('no_session', { status: 401 })) },
    });
    expect(screen.getByRole('heading', { name: 'This browser is not signed in' })).toBeTruthy();
  });
});

describe('questions of views and artifacts', () => {
  it('are shown one at a time, name the artifact, the connector and every tool, and wait for an answer', async () => {
    const console = await renderConsole({ address: '/' });
    const { prompts } = console.services;
    const consent = prompts.ask({
      kind: 'consent',
      artifact: 'Budget',
      servers: [{ name: 'Ledger', tools: ['balance', 'register'] }],
    });
    const message = prompts.ask({ kind: 'message', text: 'do it', from: 'Demo' });
    await console.settle();
    const dialog = screen.getByRole('dialog', { name: '“Budget” wants to use Ledger' });
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map((entry) => entry.textContent),
    ).toContain('register');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Allow' }));
    await console.settle();
    expect(await consent).toEqual({ Ledger: 'allow' });
    fireEvent.click(
      within(screen.getByRole('dialog', { name: 'Demo wants to send a message' })).getByRole('button', {
        name: 'Do not send',
      }),
    );
    expect(await message).toEqual({});
  });

  it('are refused without bothering anybody when there are too many', async () => {
    const console = await renderConsole({ address: '/' });
    const asked = Array.from({ length: 9 }, () =>
      console.services.prompts.ask({ kind: 'message', text: 'x', from: 'Demo' }),
    );
    expect(await asked[8]).toEqual({});
    expect(console.services.prompts.store.getState()).toHaveLength(8);
  });

  it('show the whole address of a link before it opens, with its host in ASCII', async () => {
    const console = await renderConsole({ address: '/' });
    void console.services.prompts.ask({
      kind: 'link',
      url: new URL('https://exämple.com:81/a?b=c#d'),
      from: 'Demo',
    });
    await console.settle();
    expect(screen.getByRole('dialog').textContent).toContain('https://xn--exmple-cua.com:81/a?b=c#d');
    expect(screen.getByRole('link', { name: 'Open' }).getAttribute('rel')).toContain('noopener');
  });
});

describe('artifacts', () => {
  it('publishes a chosen file with the manifest beside it', async () => {
    const artifact = ARTIFACTS[2];
    if (artifact === undefined) throw new ConsoleError('bad_answer');
    const console = await renderConsole({
      address: '/artifacts?publish=true',
      api: { publish: async () => ({ artifact, created: true, address: '', warnings: ['No title'] }) },
    });
    const files = [
      new File(['<!doctype html><p>hi'], 'page.html', { type: 'text/html' }),
      new File(['{"title":"T"}'], 'page.manifest.json', { type: 'application/json' }),
    ];
    fireEvent.change(screen.getByLabelText('HTML file'), { target: { files } });
    await console.settle();
    press('Publish');
    await console.settle();
    expect(console.callsOf('publish')).toEqual([
      [{ html: '<!doctype html><p>hi', manifest: { title: 'T' } }],
    ]);
    expect(screen.getByText('No title')).toBeTruthy();
  });

  it('changes what an artifact may use', async () => {
    const console = await renderConsole({
      address: '/artifacts/a2?details=true',
      api: { setConsent: async () => ARTIFACTS[1] as (typeof ARTIFACTS)[number] },
    });
    fireEvent.change(screen.getByLabelText('Access to Budget'), { target: { value: 'deny' } });
    await console.settle();
    expect(console.callsOf('setConsent')).toEqual([['a2', { server: 'Budget', decision: 'deny' }]]);
  });
});

type Tree = { readonly [key: string]: string | Tree };
const pseudo = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [
      key,
      typeof value === 'string' ? `⟦${value}⟧` : pseudo(value),
    ]),
  );

function createPseudoI18n(): I18n {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: pseudo(en) as typeof en } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return instance;
}

/** Words that are the same in every language, formatted values and the double's own complaint. */
const NOT_OURS =
  /^(?:npm start|ANTHROPIC_.*|English|Deutsch|F6|Ctrl\/⌘ K|[\d.,]+ (?:ms|sec|byte|kB)|\w{3} \d+, \d{4}, .*|nothing answers .*)$/;
/** The host's English about a problem is for where there is no catalogue. */
const CONNECTOR_DATA = CONNECTORS.map(({ problem, ...shown }) => [shown, problem?.stderrTail]);
const DATA = JSON.stringify([CONNECTOR_DATA, ARTIFACTS, ITEMS, TOOLS, CONVERSATIONS, CANNED_WORDS]);

/** Whether every part of a text is canned data; screens join parts by punctuation. */
const isData = (text: string): boolean =>
  text
    .split(' · ')
    .flatMap((part) => (NOT_OURS.test(part) ? [] : part.split(/: | \(|\)|, | (?=[-@/]|\w+$)/)))
    .every((part) => DATA.includes(JSON.stringify(part.trim()).slice(1, -1)));
const isRaw = (text: string): boolean =>
  /\p{L}{2}/u.test(text) && !text.includes('⟦') && !NOT_OURS.test(text) && !isData(text);

function rawTexts(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const raw: string[] = [];
  while (walker.nextNode()) {
    const text = (walker.currentNode.textContent ?? '').trim();
    const verbatim =
      walker.currentNode.parentElement?.closest('code, pre, .font-code, textarea, style, .prose') instanceof
      Element;
    if (!verbatim && isRaw(text)) raw.push(text);
  }
  const attributes = ['aria-label', 'title', 'placeholder', 'alt'];
  const labels = [...document.querySelectorAll('*')].flatMap((element) =>
    attributes.flatMap((name) => element.getAttribute(name) ?? []),
  );
  // Examples of addresses and configurations read the same everywhere.
  return [...raw, ...labels.filter((text) => isRaw(text) && !/example|npx|"mcp/.test(text))];
}

describe('languages', () => {
  it.each([
    '/',
    '/c/c1',
    '/c/c2',
    '/c/c2/k4?details=true',
    '/c/c3',
    '/c/c4',
    '/c/c5',
    '/connectors',
    '/connectors?add=command',
    '/connectors?add=url',
    '/connectors?add=paste',
    '/connectors/broken',
    '/connectors/everything?tab=details',
    '/connectors/everything?tab=messages',
    '/connectors/everything?tab=prompts',
    '/connectors/everything?resource=file:///home/me/archive.zip',
    '/connectors/everything?template=weather://{city}/{day}',
    '/connectors/everything?prompt=promote',
    '/connectors/demo?tab=resources',
    '/connectors/demo/tools/add_note',
    '/artifacts',
    '/artifacts?publish=true',
    '/artifacts/a2?details=true',
    '/settings',
    '/nowhere',
  ])('%s shows no text of its own that is in no catalogue', async (address) => {
    await renderConsole({ address, i18n: createPseudoI18n() });
    expect(rawTexts()).toEqual([]);
  });

  it('switch without a reload and are remembered', async () => {
    const console = await renderConsole({ address: '/settings' });
    fireEvent.click(screen.getByLabelText('Deutsch'));
    await console.settle();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Einstellungen');
    expect(document.documentElement.lang).toBe('de');
    fireEvent.click(screen.getByLabelText('Dunkel'));
    await console.settle();
    expect(document.documentElement.dataset['theme']).toBe('dark');
  });
});
