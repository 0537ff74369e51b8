import { McpServer } from '@portico/server';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderConsole } from '../../../../testing/render-console.ts';
import type { RenderedConsole } from '../../../../testing/render-console.ts';

const ADDRESS = '/connectors/everything/tools/echo?tab=messages';

const log = (): HTMLElement => screen.getByRole('region', { name: 'Messages' });
const rows = (): HTMLElement[] => [...log().querySelectorAll<HTMLElement>('[data-message]')];
const texts = (): string[] => rows().map(({ textContent }) => textContent ?? '');

/** The messages of a page that has called the echo tool once. */
async function openAfterCall(said: string): Promise<RenderedConsole> {
  const console = await renderConsole({ address: ADDRESS });
  fireEvent.change(screen.getByRole('textbox', { name: 'message' }), { target: { value: said } });
  fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  await console.settle();
  return console;
}

afterEach(() => vi.restoreAllMocks());

describe('the messages of a connector', () => {
  it('are all that this page and the server said, in order, the newest last', async () => {
    await openAfterCall('hello');
    const shown = texts();
    expect(shown[0]).toContain('server/discover');
    expect(shown.at(-2)).toMatch(/Senttools\/call.*echo/);
    expect(shown.at(-1)).toMatch(/Receivedtools\/callresult/);
    expect(screen.getByRole('tab', { name: `Messages ${shown.length}` })).toBeTruthy();
  });

  it('open to the whole message and close again', async () => {
    await openAfterCall('hello');
    const call = rows().at(-2) as HTMLElement;
    expect(call.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(call);
    const tree = screen.getByRole('group', { name: 'The whole message' });
    expect(tree.textContent).toContain('message:hello');
    fireEvent.click(call);
    expect(screen.queryByRole('group', { name: 'The whole message' })).toBeNull();
  });

  it('hold no header and no cookie', async () => {
    await openAfterCall('hello');
    for (const row of rows()) fireEvent.click(row);
    expect(log().textContent).not.toMatch(/cookie|authorization|content-type|mcp-session/i);
  });

  it('are found by what they say and by their direction', async () => {
    const console = await openAfterCall('needle');
    const all = rows().length;
    fireEvent.change(screen.getByRole('searchbox', { name: 'Filter messages' }), {
      target: { value: 'needle' },
    });
    await console.settle();
    expect(rows()).toHaveLength(2);
    fireEvent.click(screen.getByRole('radio', { name: 'Sent' }));
    await console.settle();
    expect(texts()).toEqual([expect.stringContaining('tools/call')]);
    fireEvent.change(screen.getByRole('searchbox', { name: 'Filter messages' }), { target: { value: '' } });
    fireEvent.click(screen.getByRole('radio', { name: 'All' }));
    await console.settle();
    expect(rows()).toHaveLength(all);
  });

  it('are copied as one JSON object a line', async () => {
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
    const console = await openAfterCall('hello');
    fireEvent.click(screen.getByRole('button', { name: 'Copy all as NDJSON' }));
    await console.settle();
    const lines = (copied[0] ?? '').trim().split('\n');
    expect(lines).toHaveLength(rows().length);
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({
      direction: 'sent',
      message: { method: 'tools/call', params: { name: 'echo', arguments: { message: 'hello' } } },
    });
  });

  it('can be cleared, and go on from there', async () => {
    const console = await openAfterCall('hello');
    fireEvent.click(screen.getByRole('button', { name: 'Clear messages' }));
    expect(rows()).toEqual([]);
    expect(log().textContent).toContain('No messages');
    fireEvent.click(screen.getByRole('button', { name: 'Run' }));
    await console.settle();
    expect(rows()).toHaveLength(2);
  });

  it('are walked through with the arrow keys', async () => {
    await openAfterCall('hello');
    const [first, second] = rows();
    first?.focus();
    fireEvent.keyDown(first as HTMLElement, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(second);
    fireEvent.keyDown(second as HTMLElement, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(first);
  });

  it('are followed until somebody opens one, and again when somebody wants it', async () => {
    await openAfterCall('hello');
    const follow = screen.getByRole('button', { name: 'Follow' });
    expect(follow.getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(rows()[0] as HTMLElement);
    expect(follow.getAttribute('aria-pressed')).toBe('false');
    fireEvent.click(follow);
    expect(follow.getAttribute('aria-pressed')).toBe('true');
  });

  it('are as many as are kept, the newest of them at first', async () => {
    const console = await renderConsole({
      address: '/connectors/everything/tools/chatty?tab=messages',
      servers: {
        everything: () => {
          const server = new McpServer(
            { name: 's', version: '1' },
            // Of more than these within a second, whatever of it has passed by then, lines would be left out.
            { capabilities: { logging: {} }, maxReportsPerSecond: 1_000 },
          );
          server.registerTool('chatty', {}, async ({ mcpReq }) => {
            for (let line = 0; line < 200; line += 1) await mcpReq.log('info', `line ${line}`);
            return { content: [] };
          });
          return server;
        },
      },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Run' }));
    const newest = async (): Promise<string | undefined> => {
      await console.settle();
      return texts().at(-1);
    };
    // Each line is drawn by itself, which so many rows make slow.
    await expect.poll(newest, { timeout: 60_000 }).toContain('result');
    expect(rows()).toHaveLength(200);
    expect(texts().at(-2)).toContain('line 199');
    const more = within(log()).getByText(/older/);
    fireEvent.click(more);
    expect(rows().length).toBeGreaterThan(200);
    expect(texts()[0]).toContain('server/discover');
  }, 90_000);
});
