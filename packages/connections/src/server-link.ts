import { Client, failureOf } from '@portico/client';
import type { IncomingNotification } from '@portico/client';
import type { CreateMessageResult, ElicitResult, ListRootsResult, SubscriptionFilter } from '@portico/spec';
import { ConnectionsError } from './errors.ts';
import { freezeDeep } from './freeze-deep.ts';
import type { ConnectionsOptions, ConnectionLimits } from './options.ts';
import type { ConnectionFailure, ListName, ServerAbout } from './state.ts';

/** Templates change with the resources and have no notice of their own. */
const BY_NOTICE: ReadonlyMap<string, readonly ListName[]> = new Map([
  ['notifications/tools/list_changed', ['tools']],
  ['notifications/resources/list_changed', ['resources', 'resourceTemplates']],
  ['notifications/prompts/list_changed', ['prompts']],
]);

/** What a client tells its connection. */
export interface LinkEvents {
  listChanged(list: ListName): void;
  sessionRenewed(): void;
  /** The stream of notices was lost although calls may still work. */
  troubled(failure: ConnectionFailure): void;
  closed(failure: ConnectionFailure): void;
  reported(error: Error): void;
  notified(notification: IncomingNotification): void;
}

/** A client that is set up for one connection. */
export interface ServerLink {
  readonly client: Client;
  about(): ServerAbout;
  /**
   * Modern servers announce changes only to who listens. Resolves when the listening is over, or at
   * once where there is nothing to listen to, or no place for it. Never rejects.
   *
   * @param hold takes a place for the listening; nothing when there is none
   */
  watchLists(
    hold: () => Promise<(() => void) | undefined>,
  ): Promise<'none' | 'local' | 'graceful' | 'remote'>;
}

const CLOSED: ConnectionFailure = {
  code: 'CONNECTION_CLOSED',
  message: 'the server closed the connection',
  step: 'closed',
  retryable: true,
};

/** Sets a client up so that what happens to it becomes events. */
export function createLink(
  id: string,
  options: ConnectionsOptions & { readonly bounds: ConnectionLimits },
  events: LinkEvents,
): ServerLink {
  const client = new Client(options.clientInfo, {
    ...options.clientOptions,
    clock: options.clock,
    capabilities: options.capabilities ?? {},
    versionNegotiation: { mode: 'auto', ...options.versionNegotiation },
    limits: { ...options.clientOptions?.limits, ...options.bounds.receive },
    listMaxPages: options.bounds.listMaxPages,
  });
  serveRequests(client, id, options);
  let lastFailure: ConnectionFailure | undefined;
  client.onerror = (error) => {
    const failure = failureOf(error);
    if (failure.step === 'process' || failure.step === 'closed') lastFailure = failure;
    if (failure.code === 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM') events.troubled(failure);
    events.reported(error);
  };
  client.onclose = () => events.closed(lastFailure ?? CLOSED);
  client.onsessionrenewed = () => events.sessionRenewed();
  for (const [notice, lists] of BY_NOTICE) {
    client.setNotificationHandler(notice, (notification) => {
      events.notified(notification);
      for (const list of lists) {
        if (list !== 'resourceTemplates' || options.templatesFollowResources !== false) {
          events.listChanged(list);
        }
      }
    });
  }
  client.fallbackNotificationHandler = (notification) => events.notified(notification);
  return {
    client,
    about: () => freezeDeep(describe(client)),
    watchLists: (hold) => watchLists(client, events, hold),
  };
}

function serveRequests(client: Client, id: string, options: ConnectionsOptions): void {
  const { handlers, capabilities } = options;
  const { sampling, elicitation, roots } = handlers ?? {};
  if (sampling !== undefined && capabilities?.sampling !== undefined) {
    client.setRequestHandler(
      'sampling/createMessage',
      (request, context) =>
        // The client looks at it before it is sent.
        sampling(id, request, context) as CreateMessageResult,
    );
  }
  if (elicitation !== undefined && capabilities?.elicitation !== undefined) {
    client.setRequestHandler(
      'elicitation/create',
      (request, context) => elicitation(id, request, context) as ElicitResult,
    );
  }
  if (roots !== undefined && capabilities?.roots !== undefined) {
    client.setRequestHandler(
      'roots/list',
      (request, context) => roots(id, request, context) as ListRootsResult,
    );
  }
}

function describe(client: Client): ServerAbout {
  const instructions = client.getInstructions();
  return {
    server: client.getServerVersion() ?? { name: 'unnamed server', version: '' },
    era: client.getProtocolEra() ?? 'legacy',
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    capabilities: client.getServerCapabilities() ?? {},
    ...(instructions === undefined ? {} : { instructions }),
  };
}

async function watchLists(
  client: Client,
  events: LinkEvents,
  hold: () => Promise<(() => void) | undefined>,
): Promise<'none' | 'local' | 'graceful' | 'remote'> {
  if (client.getProtocolEra() !== 'modern') return 'none';
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const filter: SubscriptionFilter = {
    ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
    ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
  };
  if (Object.keys(filter).length === 0) return 'none';
  const giveBack = await hold();
  if (giveBack === undefined) return 'none';
  try {
    const subscription = await client.listen(filter);
    return await subscription.closed;
  } catch (error) {
    events.reported(error instanceof Error ? error : new ConnectionsError('closed', undefined));
    // A server that refuses to announce changes can still be used; a broken line is another matter.
    return failureOf(error).retryable ? 'remote' : 'none';
  } finally {
    giveBack();
  }
}
