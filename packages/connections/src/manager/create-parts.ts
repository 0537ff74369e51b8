import type { ServerParts } from './entry-parts.ts';
import type { ServerEntry } from './server-entry.ts';
import type { LogEntry } from './server-parts.ts';
export function createParts(entry: ServerEntry): ServerParts {
  const queues = { pendingSamplingRequests: [], pendingElicitationRequests: [] };
  let side = { notifications: [], unreadNotificationCount: 0, log: [] as LogEntry[] };
  const nothing = () => undefined;
  return {
    seen: () => ({ cached: undefined, icon: undefined, queues }),
    side: () => side,
    handlers: {},
    actions: {
      ensureIconLoaded: async () => null,
      markNotificationRead: nothing,
      markAllNotificationsRead: nothing,
      clearNotifications: nothing,
      approveSampling: nothing,
      rejectSampling: nothing,
      approveElicitation: nothing,
      rejectElicitation: nothing,
    },
    log(level, message) {
      side = {
        ...side,
        log: [...side.log, { level, message, timestamp: entry.port.environment.clock.now() }],
      };
    },
    notified: nothing,
    recorded: nothing,
    connectionLost: nothing,
    forgetServer: nothing,
    dispose: nothing,
  };
}
