import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connector } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';

describe('where connectors lead', () => {
  let running: InProcessHost;
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(404).end();
  });
  beforeEach(async () => {
    asked = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    running = await startInProcessHost();
  });
  afterEach(async () => {
    await running.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const add = async (host: string): Promise<Connector> => {
    const { port } = server.address() as AddressInfo;
    const transport = { kind: 'http', url: `http://${host}:${port}/mcp`, headers: {} };
    const { id } = await running.call<Connector>('POST', '/api/connectors', { name: host, transport });
    return await running.untilConnector(id, 'failed');
  };

  it('K195 is this machine where the person typed this machine', async () => {
    const { problem } = await add('127.0.0.1');
    expect(problem?.kind).toBe('noEndpoint');
    expect(asked).toBeGreaterThan(0);
  });

  it('K195 is never an address without a machine, and the person is told', async () => {
    for (const host of ['0.0.0.0', '[::]', '169.254.169.254', '[::ffff:169.254.169.254]']) {
      const { problem } = await add(host);
      expect(problem?.kind, host).toBe('addressRefused');
      expect(problem?.facts.host).toContain(':');
    }
    expect(asked).toBe(0);
  });
});
