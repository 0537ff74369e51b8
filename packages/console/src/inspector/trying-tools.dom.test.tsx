import { McpServer, inputRequired } from '@portico/server';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createCannedServer } from '../../../../testing/connector-servers.ts';
import { renderConsole } from '../../../../testing/render-console.ts';
import type { RenderedConsole, RenderOptions } from '../../../../testing/render-console.ts';

const run = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Run' }));
const type = (label: string, value: string): void =>
  void fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
const panelText = (): string => screen.getByRole('complementary').textContent ?? '';

/** The page of a tool of a server of the test's own. */
function openTool(name: string, build: (server: McpServer) => void, more: Partial<RenderOptions> = {}) {
  const builder = (): McpServer => {
    const server = new McpServer({ name: 's', version: '1' }, { capabilities: { logging: {}, tools: {} } });
    build(server);
    return server;
  };
  return renderConsole({
    address: `/connectors/everything/tools/${name}`,
    servers: { everything: builder },
    ...more,
  });
}

describe('trying a tool', () => {
  it('calls it with what was filled in, and shows what it answers and how long it took', async () => {
    const console = await renderConsole({ address: '/connectors/everything/tools/echo' });
    type('message', 'Hello');
    run();
    await console.settle();
    expect(panelText()).toContain('echo was given {"message":"Hello"}');
    expect(panelText()).toContain('done');
    expect(panelText()).toContain('0 ms');
    expect(console.servers.lines.filter((line) => line.endsWith('tools/call'))).toHaveLength(1);
    expect(console.callsOf('startCall')).toEqual([]);
  });

  it('sends nothing while a value is missing, and says so at the field', async () => {
    const console = await renderConsole({ address: '/connectors/everything/tools/echo' });
    run();
    await console.settle();
    expect(screen.getByRole('textbox', { name: 'message' }).getAttribute('aria-invalid')).toBe('true');
    expect(console.servers.lines.join()).not.toContain('tools/call');
  });

  /** A tool that tells how far it is and goes on until it is let go, or cancelled. */
  const openSlow = async (): Promise<{
    console: RenderedConsole;
    letGo: () => void;
    cancelled: () => boolean;
  }> => {
    let letGo = (): void => undefined;
    let cancelled = false;
    const console = await openTool('slow', (server) => {
      server.registerTool('slow', {}, async ({ mcpReq }) => {
        const progressToken = mcpReq._meta?.progressToken ?? '';
        const params = { progressToken, progress: 2, total: 5, message: 'Two of five' };
        await mcpReq.notify({ method: 'notifications/progress', params });
        await new Promise<void>((resolve) => {
          letGo = resolve;
          mcpReq.signal.addEventListener('abort', () => {
            cancelled = true;
            resolve();
          });
        });
        return { content: [{ type: 'text', text: 'At last' }] };
      });
    });
    run();
    const shown = async (): Promise<boolean> => {
      await console.settle();
      return screen.queryByRole('progressbar')?.hasAttribute('aria-valuenow') ?? false;
    };
    await expect.poll(shown).toBe(true);
    // Each of its own, since what is drawn moves with the clock.
    for (let passed = 0; passed < 4; passed += 1) await console.settle(500);
    return { console, letGo: () => letGo(), cancelled: () => cancelled };
  };

  it('shows how far it is and how long it has been going on', async () => {
    const { console, letGo } = await openSlow();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
    expect(panelText()).toContain('Two of five');
    expect(panelText()).toContain('2 sec');
    letGo();
    await console.settle();
    expect(panelText()).toContain('At last');
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('can be stopped, which the server hears of', async () => {
    const { console, cancelled } = await openSlow();
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await console.settle();
    expect(cancelled()).toBe(true);
    expect(panelText()).toContain('stopped');
  });

  it('ends with the panel that shows it', async () => {
    const { console, cancelled } = await openSlow();
    fireEvent.click(screen.getByRole('button', { name: 'Close panel' }));
    await console.settle();
    expect(cancelled()).toBe(true);
  });

  it('goes on while another tab is looked at', async () => {
    const { console, letGo, cancelled } = await openSlow();
    fireEvent.mouseDown(screen.getByRole('tab', { name: /Messages/ }), { button: 0 });
    await console.settle();
    letGo();
    await console.settle();
    expect(cancelled()).toBe(false);
    expect(panelText()).toContain('At last');
  });

  it('tells an error of the tool from an answer', async () => {
    const console = await openTool('fails', (server) =>
      server.registerTool('fails', {}, () => ({
        isError: true,
        content: [{ type: 'text', text: 'There is no note 17.' }],
      })),
    );
    run();
    await console.settle();
    expect(panelText()).toContain('the tool reported an error');
    expect(screen.getByText('There is no note 17.').className).toContain('danger');
  });

  it('shows structured content as a tree', async () => {
    const outputSchema = { type: 'object', properties: { degrees: { type: 'number' } } } as const;
    const console = await openTool('weather', (server) =>
      server.registerTool('weather', { outputSchema }, () => ({
        content: [{ type: 'text', text: 'It is warm.' }],
        structuredContent: { degrees: 21 },
      })),
    );
    run();
    await console.settle();
    const tree = screen.getByRole('group', { name: 'Structured content' });
    expect(tree.textContent).toContain('degrees:21');
  });

  it('shows number, text and data of an error that the server answers with', async () => {
    const console = await openTool(
      'any',
      (server) => server.registerTool('any', {}, () => ({ content: [] })),
      {
        onMcp: async (request) => {
          const text = request.method === 'POST' ? await request.text() : '{}';
          const { id, method } = JSON.parse(text) as { id: number; method?: string };
          if (method !== 'tools/call') return undefined;
          const error = { code: -32042, message: 'Not today', data: { until: 'noon' } };
          return Response.json({ jsonrpc: '2.0', id, error });
        },
      },
    );
    run();
    await console.settle();
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('The server answered with an error');
    expect(alert.textContent).toContain('-32042');
    expect(alert.textContent).toContain('Not today');
    expect(alert.textContent).toContain('until:noon');
  });

  it('says in the language of the page what kept a call from being answered', async () => {
    let calls = 0;
    const console = await openTool(
      'any',
      (server) => server.registerTool('any', {}, () => ({ content: [] })),
      {
        onMcp: async (request) => {
          const text = request.method === 'POST' ? await request.text() : '{}';
          if (!text.includes('"tools/call"')) return undefined;
          calls += 1;
          return new Response(null, { status: 502 });
        },
      },
    );
    run();
    await console.settle();
    expect(calls).toBe(1);
    expect(screen.getByRole('alert').textContent).toContain('Portico refused the request');
  });

  it('asks once before a tool that may destroy things, and before no other', async () => {
    const console = await renderConsole({ address: '/connectors/demo/tools/delete_note' });
    fireEvent.change(screen.getByLabelText('id'), { target: { value: '4' } });
    const calls = (): number => console.servers.lines.filter((line) => line.endsWith('tools/call')).length;
    run();
    await console.settle();
    const dialog = screen.getByRole('alertdialog', { name: 'Run Delete a note?' });
    expect(calls()).toBe(0);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await console.settle();
    expect(calls()).toBe(0);
    run();
    await console.settle();
    fireEvent.click(screen.getByRole('button', { name: 'Run it' }));
    await console.settle();
    expect(calls()).toBe(1);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('asks the server for its log messages, which stand among the messages', async () => {
    const console = await openTool('logs', (server) =>
      server.registerTool('logs', {}, async ({ mcpReq }) => {
        await mcpReq.log('warning', 'The disk is nearly full');
        return { content: [] };
      }),
    );
    run();
    await console.settle();
    fireEvent.mouseDown(screen.getByRole('tab', { name: /Messages/ }), { button: 0 });
    await console.settle();
    expect(screen.getByRole('tabpanel').textContent).toContain('The disk is nearly full');
  });

  it('is not taken for the panel: Escape in a field leaves both as they are', async () => {
    const console = await renderConsole({ address: '/connectors/everything/tools/echo' });
    type('message', 'Hello');
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'message' }), { key: 'Escape' });
    await console.settle();
    expect(console.address()).toBe('/connectors/everything/tools/echo');
    fireEvent.keyDown(screen.getByRole('button', { name: 'Run' }), { key: 'Escape' });
    await console.settle();
    expect(console.address()).toBe('/connectors/everything');
  });
});

describe('the list of tools', () => {
  /** Everything, with tools that come and go. */
  const openChanging = async (address: string) => {
    const extra = new Set<string>();
    const console = await renderConsole({
      address,
      servers: {
        everything: () => {
          const server = createCannedServer('everything');
          for (const name of extra)
            server.registerTool(name, { title: `Extra ${name}` }, () => ({ content: [] }));
          return server;
        },
      },
    });
    const change = async (act: () => void): Promise<void> => {
      act();
      console.servers.announce('everything').toolsChanged();
      await console.settle(1_000);
    };
    return { console, extra, change };
  };

  it('follows the server without losing what is chosen, filled in and in focus', async () => {
    const { extra, change } = await openChanging('/connectors/everything/tools/echo');
    type('message', 'half written');
    const link = screen.getByRole('link', { name: 'Sum' });
    link.focus();
    await change(() => extra.add('one'));
    expect(screen.getByRole('link', { name: 'Extra one' })).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Tools 4' })).toBeTruthy();
    expect(document.activeElement).toBe(link);
    expect(screen.getByRole('link', { name: 'Echo' }).getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'message' }).value).toBe('half written');
    await change(() => extra.delete('one'));
    expect(screen.queryByRole('link', { name: 'Extra one' })).toBeNull();
    expect(document.activeElement).toBe(link);
  });

  it('says that a tool is gone that is looked at', async () => {
    const { console, extra, change } = await openChanging('/connectors/everything/tools/one');
    await console.settle();
    expect(panelText()).toContain('This tool is gone.');
    await change(() => extra.add('one'));
    expect(screen.getByRole('form', { name: 'Try Extra one' })).toBeTruthy();
    await change(() => extra.delete('one'));
    expect(panelText()).toContain('This tool is gone.');
  });

  it('shows what hints and views its tools have, and which are for the app only', async () => {
    await renderConsole({ address: '/connectors/demo' });
    const row = (name: string): string => screen.getByRole('link', { name }).closest('li')?.textContent ?? '';
    expect(row('Show the board')).toContain('view');
    expect(row('move_note')).toContain('for its app only');
    expect(row('Add a note')).not.toContain('for its app only');
  });

  const listAnswer = (answer: object) => async (request: Request) => {
    const text = request.method === 'POST' ? await request.text() : '{}';
    const { id, method } = JSON.parse(text) as { id: number; method?: string };
    return method === 'tools/list' ? Response.json({ jsonrpc: '2.0', id, ...answer }) : undefined;
  };

  it('says why it could not be read, and is read again when somebody wants it', async () => {
    let answers = listAnswer({ error: { code: -32603, message: 'no disk' } });
    const console = await renderConsole({
      address: '/connectors/everything',
      onMcp: (request) => answers(request),
    });
    const panel = screen.getByRole('tabpanel');
    expect(panel.textContent).toContain('The list could not be read');
    expect(panel.textContent).toContain('-32603no disk');
    expect(panel.textContent).not.toContain('offers no tools');
    answers = async () => undefined;
    fireEvent.click(within(panel).getByRole('button', { name: 'Try again' }));
    await console.settle();
    expect(panel.textContent).not.toContain('The list could not be read');
    expect(screen.getByRole('link', { name: 'Echo' })).toBeTruthy();
  });

  it('names what of it breaks the protocol', async () => {
    const tools = [{ name: 'good', inputSchema: { type: 'object' } }, { name: 'bad' }];
    await renderConsole({
      address: '/connectors/everything',
      onMcp: listAnswer({ result: { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' } }),
    });
    const panel = screen.getByRole('tabpanel');
    expect(screen.getByRole('link', { name: 'good' })).toBeTruthy();
    expect(panel.textContent).toContain('1 entry is left out');
    expect(within(panel).getByText('bad')).toBeTruthy();
  });

  it('shows a hundred at once and the others on request, found by what they say', async () => {
    const names = Array.from({ length: 250 }, (_, index) => `tool-${index}`);
    const console = await openTool('tool-1', (server) => {
      for (const name of names) server.registerTool(name, {}, () => ({ content: [] }));
    });
    const links = () => within(screen.getByRole('tabpanel')).getAllByRole('link');
    expect(links()).toHaveLength(100);
    fireEvent.click(screen.getByRole('button', { name: 'Show 150 more' }));
    expect(links()).toHaveLength(200);
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'tool-24' } });
    await console.settle();
    expect(links()).toHaveLength(11);
  });
});

describe('a question of the server in the middle of a try', () => {
  /** A tool that asks for a city and answers what it heard. */
  const openAsking = async (more: Readonly<Record<string, object>> = {}): Promise<RenderedConsole> => {
    const console = await openTool('trip', (server) => {
      server.registerTool('trip', {}, ({ mcpReq }) => {
        if (mcpReq.inputResponses !== undefined)
          return { content: [{ type: 'text', text: `heard ${JSON.stringify(mcpReq.inputResponses)}` }] };
        const properties = { city: { type: 'string' as const, title: 'City', minLength: 2 }, ...more };
        const requestedSchema = { type: 'object' as const, properties, required: ['city'] };
        const message = 'Where\u202E to?';
        return inputRequired({ inputRequests: { q: inputRequired.elicit({ message, requestedSchema }) } });
      });
    });
    run();
    const asks = async (): Promise<boolean> => {
      await console.settle();
      return screen.queryByRole('form', { name: 'Question of the server' }) !== null;
    };
    await expect.poll(asks).toBe(true);
    return console;
  };
  const press = (name: string): void => {
    const form = screen.getByRole('form', { name: 'Question of the server' });
    fireEvent.click(within(form).getByRole('button', { name }));
  };
  const untilShown = async (console: RenderedConsole, text: string): Promise<void> => {
    const shown = async (): Promise<string> => {
      await console.settle();
      return panelText();
    };
    await expect.poll(shown).toContain(text);
    expect(screen.queryByRole('form', { name: 'Question of the server' })).toBeNull();
  };

  it('K72 shows who asks and what, has the focus, and is answered by its form', async () => {
    const console = await openAsking();
    const form = screen.getByRole('form', { name: 'Question of the server' });
    expect(form.textContent).toContain('Everything asks before it goes on');
    expect(form.textContent).toContain('Where\\u{202e} to?');
    expect(form.contains(document.activeElement)).toBe(true);
    expect(screen.queryByText('This looks like a question for a secret')).toBeNull();
    press('Answer');
    await console.settle();
    // Nothing was sent, since the city is missing.
    expect(screen.getByRole('textbox', { name: 'City' }).getAttribute('aria-invalid')).toBe('true');
    type('City', 'Delft');
    press('Answer');
    await untilShown(console, 'heard {"q":{"action":"accept","content":{"city":"Delft"}}}');
  });

  it.each([
    ['Decline', 'decline'],
    ['Close', 'cancel'],
  ])('K72 is answered by %s as well', async (button, action) => {
    const console = await openAsking();
    press(button);
    await untilShown(console, `heard {"q":{"action":"${action}"}}`);
  });

  it.each(['api_key', 'apiKey', 'password', 'your PIN'])(
    'K72 warns of a field that looks like a secret: %s',
    async (name) => {
      await openAsking({ [name]: { type: 'string' } });
      expect(screen.getByText('This looks like a question for a secret')).toBeTruthy();
    },
  );

  it('K72 goes with the call when that is stopped', async () => {
    const console = await openAsking();
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await untilShown(console, 'stopped');
  });
});
