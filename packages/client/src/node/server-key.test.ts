import { describe, expect, it } from 'vitest';
import { StreamableHTTPClientTransport } from '../http/transport.ts';
import { StdioClientTransport } from './stdio.ts';

describe('the name under which a server is remembered', () => {
  it('W47 is its origin over HTTP', () => {
    const keyOf = (url: string): string => new StreamableHTTPClientTransport(url).serverKey;
    expect(keyOf('https://a.example/mcp?x=1')).toBe(keyOf('https://a.example/other'));
    const others = ['http://a.example/mcp', 'https://a.example:8443/mcp', 'https://b.example/mcp'].map(keyOf);
    expect(new Set([keyOf('https://a.example/mcp'), ...others]).size).toBe(4);
  });

  it('W47 is its command with arguments and environment on a pipe, without telling secrets', () => {
    const base = { command: 'run', args: ['a', 'b'], env: { TOKEN: 'canary-secret', X: '1' } };
    const keyOf = (parameters: object): string =>
      new StdioClientTransport({ ...base, ...parameters }).serverKey;
    expect(keyOf({ env: { X: '1', TOKEN: 'canary-secret' } })).toBe(keyOf({}));
    const others = [
      { command: 'walk' },
      { args: ['a b'] },
      { args: ['a'] },
      { env: { TOKEN: 'other', X: '1' } },
      { env: {} },
      { cwd: '/srv' },
    ].map(keyOf);
    expect(new Set([keyOf({}), ...others]).size).toBe(7);
    expect(keyOf({})).not.toContain('canary');
  });
});
