import type { IncomingNotification } from '@portico/client';
import type { JSONRPCMessage } from '@portico/rpc';
import type { ServerRequestHandlers } from '../options.ts';
import { createAskQueue } from './ask-queue.ts';
import type { AskQueue } from './ask-queue.ts';
import type { ServerParts } from './entry-parts.ts';
import { createNotificationRing } from './notification-ring.ts';
import type { NotificationRing } from './notification-ring.ts';
import type { CoreParts } from './project-core.ts';
import type { RpcLog } from './rpc-log.ts';
import { createServerLog } from './server-log.ts';
import type { ServerLog, WrittenLevel } from './server-log.ts';
import type { ServerEntry } from './server-entry.ts';
import { createServerIcon } from './server-icon.ts';
import type { ServerIcon } from './server-icon.ts';
import type { ServerSide } from './server-parts.ts';

/** What lies beside the connection of one server. */
export function createParts(entry: ServerEntry, rpcLog?: RpcLog): ServerParts {
  return new Parts(entry, rpcLog);
}

class Parts implements ServerParts {
  readonly actions: ServerParts['actions'];
  readonly handlers: ServerRequestHandlers;
  readonly #entry: ServerEntry;
  readonly #rpcLog: RpcLog | undefined;
  readonly #log: ServerLog;
  readonly #notifications: NotificationRing;
  readonly #questions: AskQueue;
  readonly #loader: ServerIcon;
  #icon: string | undefined;
  #side: ServerSide | undefined;

  constructor(entry: ServerEntry, rpcLog: RpcLog | undefined) {
    this.#entry = entry;
    this.#rpcLog = rpcLog;
    const { environment } = entry.port;
    const { clock, console } = environment;
    const now = (): number => clock.now();
    this.#log = createServerLog({
      now,
      console,
      level: () => entry.resolved.logLevel,
      secrets: () => secretsOf(entry),
    });
    this.#notifications = createNotificationRing({ now, newId: () => environment.randomId() });
    this.#questions = createAskQueue({
      serverId: entry.id,
      clock,
      newId: () => environment.randomId(),
      serverName: () => entry.core.name,
      changed: () => entry.publish(),
      refused: (message) => this.log('warn', message),
      callbacks: () => entry.port.callbacks(entry.id),
    });
    this.handlers = this.#questions.handlers;
    this.#loader = createServerIcon({
      fetch: (target, init) => environment.fetch(target, init),
      clock,
      publish: (icon) => {
        this.#icon = icon;
        entry.publish();
      },
    });
    const changes = (changed: boolean): void => {
      if (changed) this.#sideChanged();
    };
    this.actions = {
      ensureIconLoaded: () => this.#loader.ensure(),
      markNotificationRead: (id) => changes(this.#notifications.markRead(id)),
      markAllNotificationsRead: () => changes(this.#notifications.markAllRead()),
      clearNotifications: () => changes(this.#notifications.clear()),
      approveSampling: (id, result) => this.#questions.approveSampling(id, result),
      rejectSampling: (id, text) => this.#questions.rejectSampling(id, text),
      approveElicitation: (id, result) => this.#questions.approveElicitation(id, result),
      rejectElicitation: (id, text) => this.#questions.rejectElicitation(id, text),
    };
  }

  seen(): Pick<CoreParts, 'icon' | 'queues'> {
    const { sampling, elicitation } = this.#questions;
    const queues = { pendingSamplingRequests: sampling, pendingElicitationRequests: elicitation };
    return { icon: this.#icon, queues };
  }

  side(): ServerSide {
    return (this.#side ??= {
      log: this.#log.entries,
      notifications: this.#notifications.items,
      unreadNotificationCount: this.#notifications.unreadCount,
    });
  }

  log(level: WrittenLevel, message: string): void {
    this.#log.write(level, message);
    this.#sideChanged();
  }

  notified(notification: IncomingNotification): void {
    const kept = this.#notifications.add(notification);
    if (kept === undefined) return;
    this.#sideChanged();
    try {
      this.#entry.port.callbacks(this.#entry.id).onNotification?.(kept);
    } catch (error) {
      this.log('error', `onNotification threw: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  recorded(direction: 'sent' | 'received', message: JSONRPCMessage): void {
    this.#rpcLog?.record(this.#entry.id, direction, message);
  }

  connectionMade(): void {
    const { url } = this.#entry.resolved;
    if (url !== undefined) this.#loader.opened(url, this.#entry.connection.state.server?.icons);
  }

  connectionLost(): void {
    this.#loader.closed();
    this.#questions.end();
  }

  forgetServer(): void {
    this.#icon = undefined;
  }

  dispose(): void {
    this.#loader.closed();
    this.#questions.end();
  }

  #sideChanged(): void {
    this.#side = undefined;
    this.#entry.port.sideChanged(this.#entry.id);
  }
}

/** What must not stand in the log: values of headers, and tokens. */
function secretsOf(entry: ServerEntry): string[] {
  const { headers, proxyHeaders } = entry.resolved;
  const { tokens } = entry.signIn.view;
  return [
    ...Object.values(headers),
    ...Object.values(proxyHeaders),
    ...[tokens?.access_token, tokens?.refresh_token, tokens?.client_secret].filter(
      (value) => value !== undefined,
    ),
  ];
}
