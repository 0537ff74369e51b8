import { createConnections } from '../packages/connections/src/connections.ts';
import type { Connections } from '../packages/connections/src/connections.ts';
import type { ConnectionsOptions } from '../packages/connections/src/options.ts';
import { createManualClock } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';
import { createScriptedServer } from './scripted-server.ts';
import type { ScriptedServer, ScriptedServerOptions } from './scripted-server.ts';

/** Connections to servers in memory that all have one script, with a clock that is moved by hand. */
export interface ConnectionBench {
  readonly clock: ManualClock;
  readonly connections: Connections;
  /** One for each opening that went well. */
  readonly servers: readonly ScriptedServer[];
  /** Fails the next openings with this. */
  failure: Error | undefined;
  openings: number;
}

export function createBench(
  script: Omit<ScriptedServerOptions, 'clock'> = {},
  options: Partial<ConnectionsOptions> = {},
): ConnectionBench {
  const clock = createManualClock();
  const servers: ScriptedServer[] = [];
  const bench: ConnectionBench = {
    clock,
    servers,
    failure: undefined,
    openings: 0,
    connections: createConnections({
      clock,
      clientInfo: { name: 'test', version: '1' },
      versionNegotiation: { mode: 'legacy' },
      random: () => 0.5,
      async createTransport() {
        bench.openings += 1;
        if (bench.failure !== undefined) throw bench.failure;
        const server = await createScriptedServer({ clock, ...script });
        servers.push(server);
        return server.transport;
      },
      ...options,
    }),
  };
  return bench;
}

/** How often a server was asked this. */
export const requestsTo = (server: ScriptedServer | undefined, method: string): number =>
  server?.requests.filter((sent) => sent === method).length ?? 0;
