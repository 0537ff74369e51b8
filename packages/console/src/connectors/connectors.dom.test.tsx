import type { Connector, ConnectorInput } from '@portico/api';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { CONNECTORS } from '../../../../testing/console-double-data.ts';
import { renderConsole } from '../../../../testing/render-console.ts';

const type = (label: string | RegExp, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label, { selector: 'input, textarea' }), { target: { value } });
const press = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }));

const added = async (input: ConnectorInput): Promise<Connector> => ({
  id: 'new',
  name: input.name,
  label: '',
  groupId: 'new',
  enabled: true,
  starts: 'with_portico',
  status: 'connecting',
  cause: { kind: 'opening', message: '' },
  action: 'reconnect',
  toolCount: 0,
  toolsVersion: '',
  createdAtMs: 1,
  transport: { kind: 'http', url: 'https://example.com/mcp', headerNames: [] },
});

describe('approving a command', () => {
  it('shows every part of it, hidden characters as escapes, and starts with the focus elsewhere', async () => {
    await renderConsole({ address: '/connectors' });
    press('Review command');
    const dialog = screen.getByRole('dialog');
    const preview = CONNECTORS.find(({ id }) => id === 'waiting')?.pendingApproval;
    const text = dialog.textContent ?? '';
    expect(text).toContain('/usr/bin/npx');
    expect(text).toContain(preview?.args[3]);
    expect(text).toContain('Docu\\u{202e}ments');
    expect(text).not.toContain('\u202E');
    expect(text).toContain('FILES_TOKEN');
    expect(document.activeElement).not.toBe(screen.getByRole('button', { name: 'Run this command' }));
    expect(dialog.contains(document.activeElement)).toBe(true);
  });

  it('approves exactly the command that was shown', async () => {
    const console = await renderConsole({
      address: '/connectors',
      api: { approveCommand: async () => CONNECTORS[0] as Connector },
    });
    press('Review command');
    expect(console.callsOf('approveCommand')).toEqual([]);
    press('Run this command');
    await console.settle();
    expect(console.callsOf('approveCommand')).toEqual([['waiting', 'h1']]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('does nothing when it is put off', async () => {
    const console = await renderConsole({ address: '/connectors/waiting' });
    press('Review command');
    press('Not now');
    await console.settle();
    expect(console.callsOf('approveCommand')).toEqual([]);
    expect(screen.getByText('Waiting for your approval')).toBeTruthy();
  });
});

describe('adding a connector', () => {
  it('has the host split a pasted line and sends it as a list, with secrets that only go in', async () => {
    const console = await renderConsole({
      address: '/connectors?add=command',
      api: {
        splitCommand: async () => ({ command: 'npx', args: ['-y', 'thing-mcp', 'a b; $(c)'] }),
        addConnector: added,
      },
    });
    type('Command line', "npx -y thing-mcp 'a b; $(c)'");
    await console.settle(300);
    expect(screen.getByLabelText<HTMLInputElement>('Argument 3').value).toBe('a b; $(c)');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('thing');
    press('Add variable');
    type('Variable', 'TOKEN');
    type('Value of TOKEN', 'sesame');
    expect(screen.getByLabelText<HTMLInputElement>('Value of TOKEN').type).toBe('password');
    press('Add');
    await console.settle();
    expect(console.callsOf('addConnector')).toEqual([
      [
        {
          name: 'thing',
          transport: {
            kind: 'stdio',
            command: 'npx',
            args: ['-y', 'thing-mcp', 'a b; $(c)'],
            env: { TOKEN: 'sesame' },
          },
          starts: 'with_portico',
        },
      ],
    ]);
  });

  it('sends an address with its headers and opens the new connector', async () => {
    const console = await renderConsole({ address: '/connectors?add=url', api: { addConnector: added } });
    type('Address', 'https://mcp.weather.example/mcp');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('weather');
    press('Add');
    await console.settle();
    expect(console.callsOf('addConnector')).toEqual([
      [
        {
          name: 'weather',
          transport: { kind: 'http', url: 'https://mcp.weather.example/mcp', headers: {} },
          starts: 'with_portico',
        },
      ],
    ]);
    expect(console.address()).toBe('/connectors/new');
  });

  it('says what the host refused, beside what was typed', async () => {
    const { ConsoleError } = await import('../errors.ts');
    const console = await renderConsole({
      address: '/connectors?add=url',
      api: {
        addConnector: async () =>
          Promise.reject(
            new ConsoleError('conflict', { message: 'The name is taken.', issues: ['name: taken'] }),
          ),
      },
    });
    type('Address', 'https://mcp.weather.example/mcp');
    press('Add');
    await console.settle();
    expect(screen.getByRole('alert').textContent).toContain('The name is taken.');
    expect(screen.getByLabelText<HTMLInputElement>('Address', { selector: 'input' }).value).toBe(
      'https://mcp.weather.example/mcp',
    );
  });

  it('adds only what is chosen of pasted text, under the name that was given', async () => {
    const input = (name: string): ConnectorInput => ({
      name,
      transport: { kind: 'stdio', command: 'x', args: [], env: {} },
    });
    const console = await renderConsole({
      address: '/connectors?add=paste',
      api: {
        addConnector: added,
        readImport: async () => [
          { name: 'one', status: 'new', input: input('one') },
          { name: 'two', status: 'new', input: input('two') },
          { name: 'Ledger', status: 'name_clash', input: input('Ledger') },
          { name: 'bad', status: 'unsupported', reason: 'No such transport.' },
        ],
      },
    });
    type('Configuration', '{"mcpServers": {}}');
    press('Read');
    await console.settle();
    fireEvent.click(screen.getByLabelText('Add two'));
    type('New name for Ledger', 'Ledger 2');
    expect(screen.getByLabelText<HTMLInputElement>('Add bad').disabled).toBe(true);
    expect(console.callsOf('addConnector')).toEqual([]);
    press('Add 2 connectors');
    await console.settle();
    expect(console.callsOf('addConnector').map(([sent]) => (sent as ConnectorInput).name)).toEqual([
      'one',
      'Ledger 2',
    ]);
  });
});

/** The ledger as it is when it waits for its first use. */
const WAITING = {
  ...(CONNECTORS.find(({ id }) => id === 'broken') as Connector),
  starts: 'at_first_use',
  status: 'stopped',
  cause: { kind: 'firstUseWaits', message: '' },
  action: 'start',
  problem: undefined,
} as const;

describe('a connector that waits for its first use', () => {
  it('K32 is made by switching off that it starts with Portico', async () => {
    const console = await renderConsole({ address: '/connectors?add=url', api: { addConnector: added } });
    type('Address', 'https://mcp.weather.example/mcp');
    fireEvent.click(screen.getByRole('switch', { name: 'Start with Portico' }));
    press('Add');
    await console.settle();
    expect(console.callsOf('addConnector')).toMatchObject([[{ starts: 'at_first_use' }]]);
  });

  it('K32 keeps that when something else of it is edited, and says it in its details', async () => {
    const console = await renderConsole({
      address: '/connectors/broken?tab=details',
      api: { changeConnector: async () => WAITING },
    });
    await console.emit({ type: 'connector.changed', connector: WAITING });
    expect(screen.getByText('at its first use')).toBeTruthy();
    fireEvent.keyDown(screen.getByRole('button', { name: 'More actions' }), { key: 'Enter' });
    await console.settle();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Edit' }));
    await console.settle();
    expect(screen.getByRole('switch', { name: 'Start with Portico' }).getAttribute('aria-checked')).toBe(
      'false',
    );
    press('Save');
    await console.settle();
    expect(console.callsOf('changeConnector')).toMatchObject([['broken', { starts: 'at_first_use' }]]);
  });

  it('K27 K32 says what it waits for, and is started from its page', async () => {
    const console = await renderConsole({
      address: '/connectors/broken',
      api: { reconnect: async () => WAITING },
    });
    await console.emit({ type: 'connector.changed', connector: WAITING });
    expect(screen.getByText('stopped')).toBeTruthy();
    expect(screen.getByText('Starts at its first use')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reconnect' })).toBeNull();
    press('Start');
    await console.settle();
    expect(console.callsOf('reconnect')).toEqual([['broken']]);
  });

  it('K32 is among the tools of an empty conversation, and is started from there', async () => {
    const console = await renderConsole({
      address: '/c/c5',
      api: { reconnect: async () => WAITING },
    });
    await console.emit({ type: 'connector.changed', connector: WAITING });
    press('Start: Ledger');
    await console.settle();
    expect(console.callsOf('reconnect')).toEqual([['broken']]);
  });
});

describe('a saved connector', () => {
  const openEdit = async (api = {}) => {
    const console = await renderConsole({ address: '/connectors/broken', api });
    fireEvent.click(screen.getAllByRole('button', { name: 'Edit' })[0] as HTMLElement);
    return console;
  };

  it('says that values are set, never what they are, and keeps those that are not replaced', async () => {
    const console = await renderConsole({
      address: '/connectors/everything?tab=details',
      api: { changeConnector: async () => CONNECTORS[1] as Connector },
    });
    expect(screen.getByText('API_TOKEN').parentElement?.textContent).toContain('set');
    fireEvent.keyDown(screen.getByRole('button', { name: 'More actions' }), { key: 'Enter' });
    await console.settle();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Edit' }));
    await console.settle();
    expect(screen.getByRole('dialog').querySelectorAll('input[type="password"]')).toHaveLength(0);
    press('Save');
    await console.settle();
    const [, sent] = console.callsOf('changeConnector')[0] ?? [];
    expect((sent as { transport: { env: unknown } }).transport.env).toEqual({ API_TOKEN: null });
  });

  it('shows why it does not work, with its own last lines', async () => {
    await renderConsole({ address: '/connectors/broken' });
    expect(screen.getByText(/ended with exit code 1/)).toBeTruthy();
    expect(screen.getByText(/line 3120: unbalanced transaction/)).toBeTruthy();
  });

  it('keeps arguments apart while they are edited', async () => {
    const console = await openEdit({ changeConnector: async () => CONNECTORS[2] as Connector });
    type('Argument 2', '/home/me/two words.ledger');
    press('Remove argument 1');
    press('Save');
    await console.settle();
    const [, sent] = console.callsOf('changeConnector')[0] ?? [];
    expect((sent as { transport: { args: unknown } }).transport.args).toEqual(['/home/me/two words.ledger']);
  });

  it('asks before it is deleted', async () => {
    const console = await renderConsole({
      address: '/connectors/broken',
      api: { removeConnector: async () => undefined },
    });
    fireEvent.keyDown(screen.getByRole('button', { name: 'More actions' }), { key: 'Enter' });
    await console.settle();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' }));
    await console.settle();
    expect(console.callsOf('removeConnector')).toEqual([]);
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await console.settle();
    expect(console.callsOf('removeConnector')).toEqual([['broken']]);
    expect(console.address()).toBe('/connectors');
  });

  it('lists its tools with views and those for the app only', async () => {
    const console = await renderConsole({ address: '/connectors/demo/tools/add_note' });
    await console.settle();
    expect(screen.getByRole('link', { name: 'Show the board' })).toBeTruthy();
    expect(screen.getByText('for its app only')).toBeTruthy();
    expect(screen.getByText('Says it changes things (unverified)')).toBeTruthy();
  });
});
