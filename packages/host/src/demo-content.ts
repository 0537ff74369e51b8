import type { ArtifactService } from './artifacts/artifact-service.ts';
import type { ConnectorService } from './gateway/connector-service.ts';
import type { BuiltinServer } from './gateway/connector-transports.ts';
import { DEMO_ARTIFACT } from './demo/artifact.ts';
import { DEMO_CONNECTOR_NAME, createDemoServer } from './demo/connector/index.ts';
import type { Clock } from './ports/clock.ts';
import type { SettingStore } from './ports/stores.ts';

/** Module name of the demo connector in the store. */
const DEMO_MODULE = 'demo';

/** Set once the demo was added, so that what the person deletes does not come back. */
const SETTING = 'demo_added';

/** Servers that run inside the host, by module name. */
export function builtinServers(clock: Clock): Readonly<Record<string, () => BuiltinServer>> {
  return { [DEMO_MODULE]: () => createDemoServer({ clock }) };
}

export interface DemoPlaces {
  readonly settings: SettingStore;
  readonly connectors: Pick<ConnectorService, 'createBuiltin' | 'records'>;
  readonly artifacts: Pick<ArtifactService, 'publish'>;
}

/** Gives an empty host something to try out: the demo connector and the demo page (K3). */
export async function addDemo({ settings, connectors, artifacts }: DemoPlaces): Promise<void> {
  if ((await settings.get(SETTING)) !== undefined) return;
  if (connectors.records().length === 0) await connectors.createBuiltin(DEMO_CONNECTOR_NAME, DEMO_MODULE);
  await artifacts.publish({ html: DEMO_ARTIFACT.html, title: DEMO_ARTIFACT.title }, { demo: true });
  await settings.put(SETTING, 'true');
}
