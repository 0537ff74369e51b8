import type { IncomingNotification } from '@portico/client';
import type { JSONRPCMessage } from '@portico/rpc';
import type { ServerRequestHandlers } from '../options.ts';
import type { CoreParts } from './project-core.ts';
import type { LogEntry, ServerActions, ServerSide } from './server-parts.ts';

/** What belongs to a server beside its connection: its log, its notifications, its questions, its icon. */
export interface ServerParts {
  /** What readers see of it. */
  seen(): Pick<CoreParts, 'icon' | 'queues'>;
  /** The same object until something of it differs. */
  side(): ServerSide;
  readonly handlers: ServerRequestHandlers;
  readonly actions: Pick<
    ServerActions,
    | 'ensureIconLoaded'
    | 'markNotificationRead'
    | 'markAllNotificationsRead'
    | 'clearNotifications'
    | 'approveSampling'
    | 'rejectSampling'
    | 'approveElicitation'
    | 'rejectElicitation'
  >;
  log(level: LogEntry['level'], message: string): void;
  notified(notification: IncomingNotification): void;
  /** A message went over the wire. */
  recorded(direction: 'sent' | 'received', message: JSONRPCMessage): void;
  /** The server is there, and has told of itself. */
  connectionMade(): void;
  /** What waits for an answer to the server waits in vain. */
  connectionLost(): void;
  /** The settings name another server. */
  forgetServer(): void;
  dispose(): void;
}
