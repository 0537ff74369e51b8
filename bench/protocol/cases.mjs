// What is measured: one echo call over one transport, by one contestant, at one width.

/** Tools beside `echo` on a server with fifty. */
const MANY_TOOLS = 50;

/**
 * @typedef {object} Case
 * @property {string} bench     name of the row
 * @property {'memory' | 'stdio' | 'http' | 'session' | 'stateless'} over
 * @property {'modern' | 'legacy'} era
 * @property {number} atOnce    calls open at a time
 * @property {number} tools     tools of the server
 * @property {boolean} inline   ours: schemas are written where tools are registered, and so made with each server
 * @property {boolean} peerInline   the same of the peer, whose documentation shows it so
 * @property {boolean} fresh    ours: a new server for each request, where it can share one
 * @property {'pool' | 'fetch'} by   the HTTP client of ours and of the floor
 */

/** @returns {Case} */
const one = (bench, over, rest) => ({
  bench,
  over,
  era: bench.startsWith('legacy ') ? 'legacy' : 'modern',
  atOnce: Number(bench.split(' ').at(-1)),
  tools: 1,
  inline: false,
  peerInline: false,
  fresh: false,
  by: 'pool',
  ...rest,
});

/** @type {readonly Case[]} */
export const CASES = [
  one('memory 1', 'memory'),
  one('memory 64', 'memory'),
  one('stdio 1', 'stdio'),
  one('stdio 64', 'stdio'),
  one('http-1-tool 1', 'http'),
  one('http-1-tool 64', 'http'),
  one('http-fetch 64', 'http', { by: 'fetch' }),
  // The peer makes a server for each request, by a factory as its documentation has it: schemas within.
  one('http-50-tools 64', 'http', { tools: MANY_TOOLS, peerInline: true }),
  one('http-50-fresh 64', 'http', { tools: MANY_TOOLS, peerInline: true, fresh: true }),
  one('http-50-inline 64', 'http', { tools: MANY_TOOLS, peerInline: true, fresh: true, inline: true }),
  one('http-50-hoisted 64', 'http', { tools: MANY_TOOLS }),
  one('legacy memory 1', 'memory'),
  one('legacy memory 64', 'memory'),
  one('legacy stdio 1', 'stdio'),
  one('legacy stdio 64', 'stdio'),
  one('legacy http-1-tool 1', 'session'),
  one('legacy http-1-tool 64', 'session'),
  one('legacy http-fetch 64', 'session', { by: 'fetch' }),
  one('legacy http-50-tools 64', 'session', { tools: MANY_TOOLS }),
  one('legacy http-50-fresh 64', 'stateless', { tools: MANY_TOOLS, fresh: true }),
];

export const PEER_IS = '@modelcontextprotocol/client and server 2.4.0';

/** What the floor of a case does: as little as that transport lets anybody do. */
export function floorIs({ over, by }) {
  if (over === 'memory') return 'JSON.stringify and JSON.parse of request and answer';
  if (over === 'stdio') return 'raw JSON lines between two processes';
  return by === 'fetch'
    ? 'global fetch to a bare node:http server'
    : 'an undici pool to a bare node:http server';
}
