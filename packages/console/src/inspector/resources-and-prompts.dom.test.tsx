import { McpServer } from '@portico/server';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderConsole } from '../../../../testing/render-console.ts';
import type { RenderedConsole } from '../../../../testing/render-console.ts';

const panel = (): HTMLElement => screen.getByRole('complementary');
const panelText = (): string => panel().textContent ?? '';
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
const asked = (console: RenderedConsole, method: string): number =>
  console.servers.lines.filter((line) => line.endsWith(method)).length;

afterEach(() => vi.restoreAllMocks());

describe('resources', () => {
  const openFile = async (name: string): Promise<RenderedConsole> => {
    const console = await renderConsole({ address: '/connectors/everything?tab=resources' });
    fireEvent.click(screen.getByRole('link', { name }));
    // The second time, what formats Markdown has been loaded.
    await console.settle();
    await console.settle();
    return console;
  };

  it('are listed with address, type and size, and read once somebody looks at one', async () => {
    const console = await renderConsole({ address: '/connectors/everything?tab=resources' });
    const row = screen.getByRole('link', { name: 'notes.txt' }).closest('li');
    expect(row?.textContent).toContain('file:///home/me/notes.txt');
    expect(row?.textContent).toContain('text/plain · 22 byte');
    expect(asked(console, 'resources/read')).toBe(0);
    fireEvent.click(screen.getByRole('link', { name: 'notes.txt' }));
    await console.settle();
    expect(asked(console, 'resources/read')).toBe(1);
    expect(panelText()).toContain('First line\nSecond line');
    expect(console.address()).toBe('/connectors/everything?resource=file%3A%2F%2F%2Fhome%2Fme%2Fnotes.txt');
    press('Read again');
    await console.settle();
    expect(asked(console, 'resources/read')).toBe(2);
  });

  it('are opened by address', async () => {
    const console = await renderConsole({
      address: `/connectors/everything?resource=${encodeURIComponent('file:///home/me/data.json')}`,
    });
    await console.settle();
    expect(screen.getByRole('tab', { selected: true }).textContent).toContain('Resources');
    expect(panelText()).toContain('columns:2');
  });

  it('show Markdown formatted, and as text when somebody wants that, and load no image by themselves', async () => {
    await openFile('plan.md');
    expect(within(panel()).getByRole('heading', { name: 'Plan' })).toBeTruthy();
    expect(panel().querySelector('img')).toBeNull();
    expect(within(panel()).getByRole('button', { name: /Load image from example.com/ })).toBeTruthy();
    press('Show as text');
    expect(panelText()).toContain('- **two**');
  });

  it('show JSON as a tree and an image as one', async () => {
    await openFile('data.json');
    expect(within(panel()).getByRole('group', { name: 'Text as a tree' }).textContent).toContain('columns:2');
    await openFile('square.png');
    expect(within(panel()).getByRole('img', { name: /8 × 6/ }).getAttribute('src')).toMatch(
      /^data:image\/png/,
    );
  });

  it('that are bytes say how many, and are saved as a file that no browser opens', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob);
      return 'blob:test';
    });
    const clicked: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      clicked.push(this.download);
    });
    await openFile('archive.zip');
    expect(panelText()).toContain('application/zip · 22 byte');
    expect(panelText()).toContain('This cannot be shown here.');
    press('Save as file');
    expect(clicked).toEqual(['archive.zip']);
    expect(saved.map(({ type, size }) => [type, size])).toEqual([['application/octet-stream', 22]]);
  });

  it('that cannot be read say why', async () => {
    const console = await renderConsole({ address: '/connectors/everything?resource=file:///none' });
    await console.settle();
    const alert = within(panel()).getByRole('alert');
    expect(alert.textContent).toContain('The server answered with an error');
    expect(alert.textContent).toMatch(/-32\d{3}/);
  });

  it('that a template makes are read at the address that its variables make', async () => {
    const console = await renderConsole({ address: '/connectors/everything?tab=resources' });
    fireEvent.click(screen.getByRole('link', { name: 'Weather' }));
    await console.settle();
    const city = screen.getByRole('combobox', { name: 'city' });
    fireEvent.focus(city);
    fireEvent.change(city, { target: { value: 'Berl in' } });
    fireEvent.change(screen.getByRole('combobox', { name: 'day' }), { target: { value: 'a/b' } });
    expect(screen.getByRole('status', { name: '' }).textContent).toBe('weather://Berl%20in/a%2Fb');
    press('Read');
    await console.settle();
    expect(panelText()).toContain('Fair in Berl in');
    expect(panelText()).toContain('Took 0 ms');
  });
});

describe('suggestions', () => {
  it('are asked for with what else is filled in', async () => {
    const given: unknown[] = [];
    const console = await renderConsole({
      address: '/connectors/everything?tab=resources',
      onMcp: async (request) => {
        const text = request.method === 'POST' ? await request.text() : '{}';
        const { method, params } = JSON.parse(text) as {
          readonly method?: string;
          readonly params?: unknown;
        };
        if (method === 'completion/complete') given.push(params);
        return undefined;
      },
    });
    fireEvent.click(screen.getByRole('link', { name: 'Weather' }));
    await console.settle();
    fireEvent.change(screen.getByRole('combobox', { name: 'city' }), { target: { value: 'Bern' } });
    fireEvent.blur(screen.getByRole('combobox', { name: 'city' }));
    fireEvent.change(screen.getByRole('combobox', { name: 'day' }), { target: { value: 'to' } });
    await console.settle(500);
    expect(given.at(-1)).toMatchObject({
      ref: { type: 'ref/resource', uri: 'weather://{city}/{day}' },
      argument: { name: 'day', value: 'to' },
      context: { arguments: { city: 'Bern' } },
    });
  });
});

describe('prompts', () => {
  const open = async (): Promise<RenderedConsole> => {
    const console = await renderConsole({ address: '/connectors/everything?tab=prompts' });
    fireEvent.click(screen.getByRole('link', { name: 'Promote somebody' }));
    await console.settle();
    return console;
  };
  const department = (): HTMLInputElement => screen.getByRole('combobox', { name: 'department' });
  const options = (): string[] => screen.queryAllByRole('option').map(({ textContent }) => textContent ?? '');

  it('are got with what was filled in, and show each message with whose it is', async () => {
    const console = await open();
    press('Get messages');
    await console.settle();
    expect(department().getAttribute('aria-invalid')).toBe('true');
    expect(asked(console, 'prompts/get')).toBe(0);
    fireEvent.change(department(), { target: { value: 'Sales' } });
    press('Get messages');
    await console.settle();
    const messages = within(panel())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(messages).toEqual(['UserPromote somebody of Sales.', 'AssistantWith pleasure.']);
    expect(panelText()).toContain('2 messages');
  });

  it('complete values as the server does, by key and by hand', async () => {
    const console = await open();
    fireEvent.focus(department());
    fireEvent.change(department(), { target: { value: 'S' } });
    expect(options()).toEqual([]);
    await console.settle(150);
    expect(options()).toEqual(['Sales', 'Support']);
    expect(department().getAttribute('aria-expanded')).toBe('true');
    fireEvent.keyDown(department(), { key: 'ArrowDown' });
    fireEvent.keyDown(department(), { key: 'ArrowDown' });
    const active = document.getElementById(department().getAttribute('aria-activedescendant') ?? '');
    expect(active?.textContent).toBe('Support');
    fireEvent.keyDown(department(), { key: 'Enter' });
    expect(department().value).toBe('Support');
    expect(options()).toEqual([]);
    fireEvent.change(department(), { target: { value: 'Sal' } });
    await console.settle(150);
    fireEvent.click(screen.getByRole('option', { name: 'Sales' }));
    expect(department().value).toBe('Sales');
  });

  it('close their suggestions, and nothing else, with Escape', async () => {
    const console = await open();
    fireEvent.focus(department());
    await console.settle(150);
    expect(options()).toHaveLength(3);
    fireEvent.keyDown(department(), { key: 'Escape' });
    expect(options()).toEqual([]);
    expect(panel()).toBeTruthy();
  });

  it('ask for no suggestions of a server that makes none', async () => {
    const console = await renderConsole({
      address: '/connectors/everything?prompt=plain',
      servers: {
        everything: () => {
          const server = new McpServer({ name: 's', version: '1' });
          server.registerPrompt('plain', {}, () => ({ messages: [] }));
          return server;
        },
      },
    });
    await console.settle(1_000);
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(panelText()).toContain('needs no arguments');
    expect(asked(console, 'completion/complete')).toBe(0);
  });

  it('that the server refuses say why', async () => {
    const console = await renderConsole({
      address: '/connectors/everything?prompt=greet',
      onMcp: async (request) => {
        const { id, method } = JSON.parse(request.method === 'POST' ? await request.text() : '{}') as {
          readonly id: number;
          readonly method?: string;
        };
        const error = { code: -32602, message: 'Who are you?' };
        return method === 'prompts/get' ? Response.json({ jsonrpc: '2.0', id, error }) : undefined;
      },
    });
    press('Get messages');
    await console.settle();
    expect(within(panel()).getByRole('alert').textContent).toContain('-32602Who are you?');
  });
});
