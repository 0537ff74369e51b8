import { App } from '@modelcontextprotocol/ext-apps';
import { createMemoryTransportPair } from '@portico/rpc';
import type { JSONRPCMessage } from '@portico/rpc';
import { createViewBridge } from '../packages/views/src/bridge/create-view-bridge.ts';
import type { ServerRequest, ViewHostHandlers } from '../packages/views/src/bridge/handlers.ts';
import type { ViewBridge, ViewBridgeOptions } from '../packages/views/src/bridge/view-bridge.ts';
import type { Refusal } from '../packages/views/src/errors.ts';
import { PROFILES } from '../packages/views/src/profiles.ts';
import { createManualClock } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';

type AppOptions = ConstructorParameters<typeof App>[1];

/** ext-apps' own App on one end of a channel and our bridge on the other. */
export interface ViewWorld {
  readonly app: App;
  readonly bridge: ViewBridge;
  readonly clock: ManualClock;
  readonly refusals: Refusal[];
  readonly requests: ServerRequest[];
  /** Methods that have reached the view since it connected. */
  readonly heard: string[];
  connect(): Promise<void>;
}

export interface ViewWorldOptions extends Partial<ViewBridgeOptions> {
  readonly appCapabilities?: AppOptions;
}

export async function createViewWorld(
  host: Partial<ViewHostHandlers> = {},
  options: ViewWorldOptions = {},
): Promise<ViewWorld> {
  const [near, far] = createMemoryTransportPair();
  const clock = createManualClock();
  const refusals: Refusal[] = [];
  const requests: ServerRequest[] = [];
  const heard: string[] = [];
  const { appCapabilities, ...rest } = options;
  const bridge = createViewBridge({
    transport: near,
    clock,
    profile: PROFILES.open,
    hostInfo: { name: 'Portico', version: '0.1.0' },
    hostContext: { theme: 'dark', locale: 'de-DE' },
    host: {
      serverRequest(request) {
        requests.push(request);
        return Promise.resolve({ result: { content: [{ type: 'text', text: request.method }] } });
      },
      onRefusal: (refusal) => refusals.push(refusal),
      ...host,
    },
    ...rest,
  });
  await bridge.start();
  const app = new App({ name: 'Probe', version: '1.2.3' }, appCapabilities ?? {}, { autoResize: false });
  const world: ViewWorld = {
    app,
    bridge,
    clock,
    refusals,
    requests,
    heard,
    async connect() {
      await app.connect(far as unknown as Parameters<App['connect']>[0]);
      const deliver = far.onmessage?.bind(far);
      far.onmessage = (message: JSONRPCMessage) => {
        if ('method' in message) heard.push(message.method);
        deliver?.(message);
      };
      await clock.advance(0);
    },
  };
  return world;
}
