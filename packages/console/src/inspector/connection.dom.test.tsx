import type { Connector } from '@portico/api';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { BOOTSTRAP, CONNECTORS } from '../../../../testing/console-double-data.ts';
import { renderConsole } from '../../../../testing/render-console.ts';

const everything = CONNECTORS.find(({ id }) => id === 'everything') as Connector;
const changed = (patch: Partial<Connector>) =>
  ({ type: 'connector.changed', connector: { ...everything, ...patch } }) as const;

const toolNames = (): string[] =>
  within(screen.getByRole('tabpanel'))
    .queryAllByRole('link')
    .map((link) => link.textContent ?? '');

describe('the connection of a page to a connector', () => {
  it('is made for the connector that is looked at, and for no other', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...everything,
      id: `c${index}`,
      name: `C${index}`,
    }));
    const console = await renderConsole({
      address: '/connectors',
      api: {
        bootstrap: async () => ({
          ...BOOTSTRAP,
          connectors: [everything, ...many],
          conversations: [],
          artifacts: [],
        }),
      },
    });
    expect(console.servers.lines).toEqual([]);
    fireEvent.click(screen.getByRole('link', { name: /^Everything/ }));
    await console.settle();
    expect(toolNames()).toEqual(['Echo', 'Sum', 'trigger-long-running-operation']);
    expect(new Set(console.servers.lines.map((line) => line.split(' ')[0]))).toEqual(new Set(['everything']));
    const streams = console.servers.lines.filter((line) => line.endsWith('subscriptions/listen'));
    expect(streams).toHaveLength(1);
  });

  it('ends with the page', async () => {
    const streams: Request[] = [];
    const console = await renderConsole({
      address: '/connectors/everything',
      onMcp: async (request) => {
        if ((await request.clone().text()).includes('subscriptions/listen')) streams.push(request);
        return undefined;
      },
    });
    expect(streams.map(({ signal }) => signal.aborted)).toEqual([false]);
    fireEvent.click(screen.getAllByRole('link', { name: 'Connectors' })[0] as HTMLElement);
    await console.settle();
    expect(streams.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it('exists only while the host says that the connector can be used', async () => {
    const console = await renderConsole({ address: '/connectors/everything' });
    expect(toolNames()).toHaveLength(3);
    await console.emit(changed({ status: 'failed' }));
    expect(screen.getByText('Not known yet')).toBeTruthy();
    const asked = console.servers.lines.length;
    await console.settle(120_000);
    expect(console.servers.lines).toHaveLength(asked);
    await console.emit(changed({ status: 'connecting' }));
    expect(screen.getByRole('tabpanel').textContent).toContain('The connector is being connected…');
    await console.emit(changed({ status: 'degraded' }));
    await console.settle();
    expect(toolNames()).toHaveLength(3);
  });

  it('reads the tools again when the host says that they are others, and not for any other change', async () => {
    const console = await renderConsole({ address: '/connectors/everything' });
    const read = (): number => console.servers.lines.filter((line) => line.endsWith('tools/list')).length;
    const before = read();
    await console.emit(changed({ label: 'other' }));
    expect(read()).toBe(before);
    await console.emit(changed({ toolsVersion: 'another' }));
    expect(read()).toBe(before + 1);
  });

  it('says that it is being made', async () => {
    const console = await renderConsole({
      address: '/connectors/everything',
      onMcp: () => new Promise(() => undefined),
    });
    expect(screen.getByRole('tabpanel').textContent).toContain('Connecting to the server…');
    // The host's word on the connector stays what it was.
    expect(screen.getAllByText('ready').length).toBeGreaterThan(0);
    await console.settle();
  });

  it('says why it failed, and is made when somebody wants it again', async () => {
    let refuses = true;
    const console = await renderConsole({
      address: '/connectors/everything',
      onMcp: () => (refuses ? new Response(null, { status: 500 }) : undefined),
    });
    const panel = screen.getByRole('tabpanel');
    expect(panel.textContent).toContain('This page could not reach the connector');
    expect(panel.textContent).toContain('Portico refused the request');
    refuses = false;
    fireEvent.click(within(panel).getByRole('button', { name: 'Try again' }));
    await console.settle();
    expect(toolNames()).toHaveLength(3);
  });

  it('keeps the lists when it is lost, says so above them, and comes back by itself', async () => {
    let broken = false;
    const console = await renderConsole({
      address: '/connectors/everything/tools/echo',
      onMcp: () => {
        if (broken) throw new TypeError('the network is gone');
        return undefined;
      },
    });
    broken = true;
    fireEvent.change(screen.getByRole('textbox', { name: 'message' }), { target: { value: 'typed' } });
    fireEvent.click(screen.getByRole('button', { name: 'Run' }));
    await console.settle(1_000);
    expect(screen.getByText('This page has lost its connection to the connector')).toBeTruthy();
    expect(toolNames()).toHaveLength(3);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run' }).disabled).toBe(true);
    broken = false;
    await console.settle(30_000);
    expect(screen.queryByText('This page has lost its connection to the connector')).toBeNull();
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'message' }).value).toBe('typed');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run' }).disabled).toBe(false);
  });

  it('keeps what was filled in while the connector itself comes back', async () => {
    const console = await renderConsole({ address: '/connectors/everything/tools/echo' });
    fireEvent.change(screen.getByRole('textbox', { name: 'message' }), { target: { value: 'typed' } });
    await console.emit(changed({ status: 'connecting' }));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'message' }).value).toBe('typed');
    await console.emit(changed({ status: 'ready' }));
    await console.settle();
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'message' }).value).toBe('typed');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run' }).disabled).toBe(false);
  });
});

describe('the tabs of a connector', () => {
  const selected = (): string => screen.getByRole('tab', { selected: true }).textContent ?? '';

  it('count what they hold, and open by address', async () => {
    await renderConsole({ address: '/connectors/everything?tab=resources' });
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Tools 3',
      'Resources 6',
      'Prompts 2',
      expect.stringMatching(/^Messages \d+$/),
      'Details',
    ]);
    expect(selected()).toBe('Resources 6');
  });

  it.each([
    ['/connectors/demo?tab=resources', 'This server offers no resources.'],
    ['/connectors/demo?tab=prompts', 'This server offers no prompts.'],
  ])('%s says in a sentence that there is nothing', async (address, sentence) => {
    await renderConsole({ address });
    expect(screen.getByRole('tabpanel').textContent).toContain(sentence);
  });

  it('change without taking away what is in the panel', async () => {
    const console = await renderConsole({ address: '/connectors/everything/tools/echo' });
    fireEvent.mouseDown(screen.getByRole('tab', { name: /Messages/ }), { button: 0 });
    await console.settle();
    expect(selected()).toMatch(/Messages/);
    expect(console.address()).toBe('/connectors/everything/tools/echo?tab=messages');
    expect(screen.getByRole('form', { name: 'Try Echo' })).toBeTruthy();
  });
});
