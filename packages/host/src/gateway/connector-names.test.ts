import { randomBytes } from 'node:crypto';
import type { Connector, ConnectorInput } from '@portico/api';
import { expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import { createConnectorService } from './connector-service.ts';

const input = (name: string): ConnectorInput => ({
  name,
  transport: { kind: 'http', url: 'http://h.example/', headers: {} },
});

/** A service on a store that takes its time. */
function slowService(names: readonly string[]) {
  const records = new Map<string, ConnectorRecord>();
  for (const name of names) {
    const transport = { kind: 'http' as const, url: 'http://h.example/', headers: {} };
    records.set(name, {
      id: name,
      name,
      label: '',
      groupId: name,
      transport,
      enabled: true,
      starts: 'with_portico',
      approvedHash: null,
      createdAtMs: 0,
    });
  }
  const registry: Partial<ConnectorRegistry> = {
    records: () => [...records.values()],
    recordOf: (id) => records.get(id) as ConnectorRecord,
    async save(record) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      records.set(record.id, record);
      return record as unknown as Connector;
    },
  };
  const service = createConnectorService({
    registry: registry as ConnectorRegistry,
    transports: { preview: () => undefined },
    secrets: createSecretBox({ current: randomBytes(32), previous: [] }),
    clock: createManualClock(),
  });
  return { service, names: () => [...records.values()].map((record) => record.name) };
}

const outcomes = async (changes: readonly Promise<unknown>[]): Promise<readonly unknown[]> =>
  await Promise.all(
    changes.map((change) =>
      change.then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    ),
  );

it('two changes at once never give two connectors one name', async () => {
  const { service, names } = slowService(['a', 'b']);
  const changes = [
    service.update('a', input('same')),
    service.update('b', input('same')),
    service.create(input('same')),
  ];
  expect(await outcomes(changes)).toEqual(['done', 'conflict', 'conflict']);
  expect(names()).toEqual(['same', 'b']);
});

it('a name is free again once its connector is called something else, or the change has failed', async () => {
  const { service, names } = slowService(['a', 'b']);
  expect(await outcomes([service.update('a', input('b'))])).toEqual(['conflict']);
  expect(await outcomes([service.update('b', input('c')), service.update('b', input('c'))])).toEqual([
    'done',
    'done',
  ]);
  expect(await outcomes([service.update('a', input('b'))])).toEqual(['done']);
  expect(names()).toEqual(['b', 'c']);
});
