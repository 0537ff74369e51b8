// @ts-check
// Serves the suite's server scenarios on a free port and says where, as one line of JSON.
import { createServer as createHttpServer } from 'node:http';
import { createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { createServer } from './create-server.mjs';
import { memoryEvents } from './memory-events.mjs';

const handler = createMcpHandler(await createServer(), {
  legacy: 'sessions',
  // Short, since a scenario waits that long before it takes up a stream again.
  sessions: { eventStore: memoryEvents(), retryMs: 300 },
});
const serve = toNodeHandler(handler);
const http = createHttpServer((request, response) => void serve(request, response));
// Longer than any pause of the suite, so that no request meets a connection that is being closed.
http.keepAliveTimeout = 120_000;
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  if (address === null || typeof address === 'string') throw new TypeError('not bound to a port');
  console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}/mcp` }));
});
