import type { Item, ToolCall } from '@portico/api';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ITEMS } from '../../../../testing/console-double-data.ts';
import { renderConsole } from '../../../../testing/render-console.ts';

const press = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }));
const call = (more: Partial<ToolCall>): ToolCall => ({
  id: 'call',
  type: 'tool_call',
  createdAtMs: 1,
  connectorId: 'demo',
  connectorName: 'Demo',
  tool: 'echo',
  arguments: {},
  origin: 'person',
  status: 'done',
  ...more,
});
const show = (item: Item, options: { readonly model?: string } = {}) =>
  renderConsole({ address: '/c/c2', items: { c2: [item] }, ...options });

describe('direct mode', () => {
  it('finds a tool by a slash and part of its name, with the keyboard alone', async () => {
    const console = await renderConsole({ address: '/c/c5' });
    const box = screen.getByRole('combobox', { name: 'Search a tool to call' });
    fireEvent.change(box, { target: { value: '/add' } });
    expect(screen.getAllByRole('option')[0]?.textContent).toContain('Add a note');
    expect(box.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[0]?.id);
    fireEvent.keyDown(box, { key: 'Enter' });
    await console.settle();
    expect(screen.getByRole('heading', { name: /Add a note/ })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('title'));
  });

  it('marks what is missing at its field, sends nothing, and runs once it is there', async () => {
    const console = await renderConsole({
      address: '/?connector=demo&tool=add_note',
      api: {
        createConversation: async () => ({
          id: 'c9',
          title: 'New',
          status: 'idle',
          waitingApprovals: 0,
          createdAtMs: 1,
          updatedAtMs: 1,
        }),
        startCall: async (_id, started) => call({ tool: started.tool }),
      },
    });
    expect(screen.getByText(/A link filled in this tool/)).toBeTruthy();
    press('Run');
    await console.settle();
    const title = screen.getByLabelText('title');
    expect(title.getAttribute('aria-invalid')).toBe('true');
    expect(
      document.getElementById(String(title.getAttribute('aria-describedby')).split(' ').at(-1) ?? '')
        ?.textContent,
    ).toBe('This is needed.');
    expect(console.callsOf('startCall')).toEqual([]);
    fireEvent.change(title, { target: { value: 'a "quoted" line\nand \\n another' } });
    press('Run');
    await console.settle();
    expect(console.callsOf('startCall')).toEqual([
      [
        'c9',
        {
          connectorId: 'demo',
          tool: 'add_note',
          clientId: 'id-1',
          arguments: { title: 'a "quoted" line\nand \\n another', priority: 'normal', pinned: false },
        },
      ],
    ]);
    expect(console.address()).toBe('/c/c9');
  });

  it('shows the same arguments as JSON and back, those without a field included', async () => {
    const console = await renderConsole({ address: '/?connector=demo&tool=add_note' });
    press('Edit as JSON');
    const text = screen.getByLabelText<HTMLTextAreaElement>(/Arguments/);
    expect(JSON.parse(text.value)).toEqual({ priority: 'normal', pinned: false });
    fireEvent.change(text, {
      target: { value: '{"title": "x", "effort": 2.5, "body": null, "unknown": {"a": [1]}}' },
    });
    press('Back to the form');
    await console.settle();
    expect(screen.getByLabelText<HTMLTextAreaElement>('title').value).toBe('x');
    expect(screen.getByLabelText<HTMLInputElement>('effort').value).toBe('2.5');
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^unknown/).value).toContain('"a"');
    fireEvent.change(screen.getByLabelText('effort'), { target: { value: '2.5e' } });
    expect(screen.getByLabelText('effort').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Edit as JSON' }).disabled).toBe(true);
    fireEvent.change(screen.getByLabelText('effort'), { target: { value: '3' } });
    press('Edit as JSON');
    expect(JSON.parse(screen.getByLabelText<HTMLTextAreaElement>(/Arguments/).value)).toEqual({
      title: 'x',
      effort: 3,
      body: null,
      unknown: { a: [1] },
    });
  });

  it('chooses a branch of a union and adds to a list', async () => {
    const console = await renderConsole({ address: '/?connector=demo&tool=add_note' });
    fireEvent.change(screen.getByLabelText('Kind of reminder'), { target: { value: '1' } });
    fireEvent.change(screen.getByLabelText('place'), { target: { value: 'shed' } });
    press('Add labels');
    press('Add entry');
    fireEvent.change(screen.getByLabelText('Entry 1'), { target: { value: 'garden' } });
    await console.settle();
    press('Edit as JSON');
    expect(JSON.parse(screen.getByLabelText<HTMLTextAreaElement>(/Arguments/).value)).toMatchObject({
      reminder: { kind: 'place', place: 'shed' },
      labels: ['garden'],
    });
  });
});

describe('with a model', () => {
  it('sends what was typed once, and keeps a draft until then', async () => {
    const sent: Item = { id: 'u1', type: 'user_message', createdAtMs: 1, text: 'Hello' };
    const console = await renderConsole({
      address: '/c/c5',
      model: 'scripted',
      api: { sendMessage: async () => sent },
    });
    const box = screen.getByLabelText('Message');
    fireEvent.change(box, { target: { value: 'Hello' } });
    expect(console.services.drafts.read('c5')).toBe('Hello');
    fireEvent.keyDown(box, { key: 'Enter', shiftKey: true });
    expect(console.callsOf('sendMessage')).toEqual([]);
    fireEvent.keyDown(box, { key: 'Enter' });
    await console.settle();
    expect(console.callsOf('sendMessage')).toEqual([['c5', 'Hello', 'id-1']]);
    expect([screen.getByText('Hello').tagName, console.services.drafts.read('c5')]).toEqual(['P', '']);
  });

  it('shows text as it streams and speaks it by whole sentences', async () => {
    const start: Item = {
      id: 'm',
      type: 'assistant_message',
      createdAtMs: 1,
      text: '',
      streaming: true,
      model: 'scripted',
    };
    const console = await renderConsole({ address: '/c/c5', model: 'scripted' });
    await console.emit({ type: 'item.changed', conversationId: 'c5', item: start });
    await console.emit({
      type: 'item.text',
      conversationId: 'c5',
      itemId: 'm',
      offset: 0,
      text: 'One sentence. Half',
    });
    const spoken = (): string[] => console.services.announcer.store.getState().polite.map(({ text }) => text);
    expect(screen.getByText('One sentence. Half')).toBeTruthy();
    expect(spoken()).toEqual(['One sentence.']);
    await console.emit({
      type: 'item.changed',
      conversationId: 'c5',
      item: { ...start, text: 'One sentence. Half done', streaming: false },
    });
    expect(spoken()).toEqual(['One sentence.', 'Half done']);
  });

  it('stops a running turn', async () => {
    const console = await renderConsole({
      address: '/c/c3',
      model: 'scripted',
      api: { stop: async () => undefined },
    });
    fireEvent.click(screen.getAllByRole('button', { name: 'Stop' }).at(-1) as HTMLElement);
    await console.settle();
    expect(console.callsOf('stop')).toEqual([['c3']]);
  });
});

describe('an approval', () => {
  const waiting = ITEMS['c1']?.[3] as ToolCall;

  it('shows every argument whole, with its line breaks and as text, and what the server claims', async () => {
    await show(
      { ...waiting, arguments: { ...waiting.arguments, long: 'x'.repeat(200_000) } },
      { model: 'scripted' },
    );
    const card = screen.getByRole('region', { name: /Allow “Add a note” from Demo/ });
    expect(within(card).getByText(/Thu: fence <b>and<\/b> gate/).textContent).toBe(
      'Mon: pear tree\nTue: lamb’s lettuce\nThu: fence <b>and</b> gate',
    );
    expect(within(card).getByText(/^x+$/).textContent).toHaveLength(200_000);
    expect(within(card).getByText('Says it changes things (unverified)')).toBeTruthy();
    expect(card.querySelector('b')).toBeNull();
  });

  it('cannot be answered by a press that was meant for something else', async () => {
    const console = await renderConsole({
      address: '/c/c5',
      model: 'scripted',
      api: { decideCall: async () => waiting },
    });
    const box = screen.getByLabelText('Message');
    box.focus();
    await console.emit({ type: 'item.changed', conversationId: 'c5', item: waiting });
    expect(document.activeElement).toBe(box);
    press('Allow once');
    expect(console.callsOf('decideCall')).toEqual([]);
    await console.settle(600);
    press('Allow once');
    await console.settle();
    expect(console.callsOf('decideCall')).toEqual([
      [{ conversationId: 'c5', callId: 'k2' }, { decision: 'allow' }],
    ]);
    expect(console.services.announcer.store.getState().assertive.at(-1)?.text).toContain('Add a note');
  });

  it('can be denied with a message', async () => {
    const console = await renderConsole({
      address: '/c/c2',
      items: { c2: [waiting] },
      model: 'scripted',
      api: { decideCall: async () => waiting },
    });
    await console.settle(600);
    press('Deny with a message…');
    fireEvent.change(screen.getByLabelText('Message to the model'), { target: { value: 'Not this week' } });
    press('Deny with this message');
    await console.settle();
    expect(console.callsOf('decideCall')[0]?.[1]).toEqual({ decision: 'deny', message: 'Not this week' });
  });
});

describe('what a tool answers', () => {
  it('shows images at a size known before they load, under the type of their bytes', async () => {
    await show(ITEMS['c2']?.[1] as Item);
    const image = screen.getByRole<HTMLImageElement>('img', { name: 'Image from the tool, 8 × 6' });
    expect([image.getAttribute('width'), image.getAttribute('height'), image.src.slice(0, 15)]).toEqual([
      '8',
      '6',
      'data:image/png;',
    ]);
  });

  it('loads nothing by itself: sound waits, links ask, unknown kinds are shown as data', async () => {
    await show(ITEMS['c2']?.[1] as Item);
    const audio = document.querySelector('audio');
    expect([audio?.autoplay, audio?.preload]).toEqual([false, 'none']);
    fireEvent.click(screen.getAllByRole('button', { name: 'Open' })[0] as HTMLElement);
    expect(screen.getByRole('dialog').textContent).toContain('https://example.com/report.pdf');
    expect(screen.getByText('hologram')).toBeTruthy();
  });

  it('fetches no image that Markdown names before the person asks for it', async () => {
    const console = await show({
      id: 'm',
      type: 'assistant_message',
      createdAtMs: 1,
      streaming: false,
      model: 'm',
      text: '![chart](https://tracker.example/p.png) <img src="https://raw.example/x.png"> [x](javascript:alert(1))',
    });
    await act(async () => void (await import('./markdown-renderer.tsx')));
    await console.settle();
    expect(document.querySelectorAll('img')).toHaveLength(0);
    expect(document.querySelectorAll('a[href^="javascript"]')).toHaveLength(0);
    expect(screen.getByRole('button', { name: /Load image from tracker.example/ })).toBeTruthy();
  });

  it('shows an error as one, with its text', async () => {
    await show(ITEMS['c2']?.[2] as Item);
    expect(screen.getByRole('button', { name: 'The tool reported an error' })).toBeTruthy();
    expect(screen.getByText(/There is no note 17/)).toBeTruthy();
  });

  it('shows progress and stops one call alone', async () => {
    const console = await renderConsole({ address: '/c/c3', api: { cancelCall: async () => undefined } });
    const bar = screen.getByRole('progressbar', { name: 'Progress of Count slowly' });
    expect(bar.getAttribute('aria-valuenow')).toBe('40');
    fireEvent.click(screen.getAllByRole('button', { name: 'Stop' })[0] as HTMLElement);
    await console.settle();
    expect(console.callsOf('cancelCall')).toEqual([['c3', 'k7']]);
  });

  it('says that a call may have happened when the host stopped in the middle', async () => {
    await show(call({ status: 'unknown' }));
    expect(screen.getByText(/It may have happened/)).toBeTruthy();
  });
});

describe('a problem of the model', () => {
  const codes = [
    'provider_auth',
    'provider_rate_limited',
    'provider_overloaded',
    'provider_stream_cut',
    'provider_bad_request',
    'provider_unreachable',
    'too_many_rounds',
    'interrupted',
    'internal',
  ] as const;

  it.each(codes)('%s says what to do and can be tried again', async (code) => {
    const console = await renderConsole({
      address: '/c/c2',
      model: 'scripted',
      api: { retry: async () => undefined },
      items: {
        c2: [
          {
            id: 'p',
            type: 'problem',
            createdAtMs: 1,
            code,
            message: `the endpoint said ${code}`,
            retryable: true,
          },
        ],
      },
    });
    expect(screen.getByText(`the endpoint said ${code}`)).toBeTruthy();
    press(/Try again|Continue/);
    await console.settle();
    expect(console.callsOf('retry')).toEqual([['c2']]);
  });
});
