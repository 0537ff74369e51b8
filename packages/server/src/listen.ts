import { ErrorCode, ProtocolError } from '@portico/rpc';
import type { ServerCapabilities, SubscriptionFilter } from '@portico/spec';
import type { Caller } from './caller.ts';
import type { RequestChannel } from './channel.ts';
import type { TaskService } from './tasks/task-service.ts';
import { ResourceWatches, type WatchResource } from './resource-watches.ts';
import { type ServerEvent, type ServerEventBus, notificationOf } from './server-events.ts';

/** Resource URIs, or tasks, one subscription may name. */
const MAX_NAMES = 10_000;

/** One `subscriptions/listen` request. */
export interface ListenRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly channel: RequestChannel;
  readonly capabilities: ServerCapabilities;
  readonly events: ServerEventBus;
  readonly watchResource: WatchResource | undefined;
  readonly report: (error: Error) => void;
  readonly tasks: TaskService | undefined;
}

/**
 * Serves a subscription until its client goes or the server ends it; then resolves with the empty
 * closing result. The acknowledgement goes out first, and only what was asked for, is offered and
 * happens later follows it.
 *
 * @throws ProtocolError -32602 without a filter, -32603 beyond the subscription limit
 */
export async function listen(request: ListenRequest): Promise<object> {
  const { caller, channel, events, report } = request;
  const wanted = await honouredTasks(request, honoured(filterOf(request.params), request.capabilities));
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const release = channel.subscriptions.open(() => end());
  if (release === undefined) {
    throw new ProtocolError(ErrorCode.InternalError, 'Subscription limit reached');
  }
  const send = (method: string, params: object | undefined): void => {
    const stamped = caller.codec.encodeNotification(params, channel.id);
    channel.notify(method, stamped).catch((error: unknown) => {
      report(error instanceof Error ? error : new TypeError(String(error)));
    });
  };
  const { signal } = channel;
  const onAbort = (): void => end();
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const watches = request.watchResource && new ResourceWatches(request.watchResource);
  if (watches !== undefined) await Promise.race([watchable(wanted, watches), ended]);
  send('notifications/subscriptions/acknowledged', { notifications: wanted });
  const uris = new Set(wanted.resourceSubscriptions ?? []);
  const unsubscribe = events.subscribe((event) => {
    if (!isWanted(event, wanted, uris)) return;
    const { method, params } = notificationOf(event);
    send(method, params);
  });
  const unwatch = (wanted.taskIds ?? []).map((taskId) =>
    request.tasks?.watch(taskId, (state) => send('notifications/tasks', state)),
  );
  await ended;
  unsubscribe();
  for (const stop of unwatch) stop?.();
  watches?.endAll();
  release();
  signal.removeEventListener('abort', onAbort);
  // A shared pipe has no stream whose end would show that the subscription is over.
  if (channel.http === undefined && !signal.aborted) {
    send('notifications/cancelled', { requestId: channel.id });
  }
  return {};
}

function filterOf(params: Readonly<Record<string, unknown>>): SubscriptionFilter {
  const { notifications } = params;
  if (typeof notifications !== 'object' || notifications === null || Array.isArray(notifications)) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'A subscription names its notifications.');
  }
  const { resourceSubscriptions, taskIds } = notifications as SubscriptionFilter;
  if (!isNameList(resourceSubscriptions)) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'Resource subscriptions are a list of URIs.');
  }
  if (!isNameList(taskIds)) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'Task ids are a list of texts.');
  }
  return notifications;
}

function isNameList(names: unknown): boolean {
  if (names === undefined) return true;
  return Array.isArray(names) && names.length <= MAX_NAMES && names.every((name) => typeof name === 'string');
}

/** Adds the tasks that this listener may hear of. Naming any needs the extension. */
async function honouredTasks(
  { params, caller, channel, tasks }: ListenRequest,
  wanted: SubscriptionFilter,
): Promise<SubscriptionFilter> {
  const { taskIds } = filterOf(params);
  if (taskIds === undefined || tasks === undefined) return wanted;
  wanted.taskIds = await tasks.listenable(taskIds, caller, channel);
  return wanted;
}

function honoured(asked: SubscriptionFilter, offered: ServerCapabilities): SubscriptionFilter {
  const wanted: SubscriptionFilter = {};
  if (asked.toolsListChanged === true && offered.tools?.listChanged === true) {
    wanted.toolsListChanged = true;
  }
  if (asked.promptsListChanged === true && offered.prompts?.listChanged === true) {
    wanted.promptsListChanged = true;
  }
  if (asked.resourcesListChanged === true && offered.resources?.listChanged === true) {
    wanted.resourcesListChanged = true;
  }
  if (asked.resourceSubscriptions !== undefined && offered.resources?.subscribe === true) {
    wanted.resourceSubscriptions = [...asked.resourceSubscriptions];
  }
  return wanted;
}

/** Begins to watch what is asked for, and leaves out of it what cannot be watched. */
async function watchable(wanted: SubscriptionFilter, watches: ResourceWatches): Promise<void> {
  const { resourceSubscriptions: uris } = wanted;
  if (uris === undefined) return;
  const outcomes = await Promise.allSettled(uris.map((uri) => watches.begin(uri)));
  wanted.resourceSubscriptions = uris.filter((_, index) => outcomes[index]?.status === 'fulfilled');
}

function isWanted(event: ServerEvent, wanted: SubscriptionFilter, uris: ReadonlySet<string>): boolean {
  switch (event.kind) {
    case 'tools_list_changed':
      return wanted.toolsListChanged === true;
    case 'prompts_list_changed':
      return wanted.promptsListChanged === true;
    case 'resources_list_changed':
      return wanted.resourcesListChanged === true;
    case 'resource_updated':
      return uris.has(event.uri);
  }
}
