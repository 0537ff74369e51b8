import type { Environment } from '../environment.ts';

/** What tabs tell each other. Nothing in it is worth anything: whoever hears it looks into the storage. Source: R166. */
export type TabMessage =
  /** Somebody came back from signing in. */
  | { readonly type: 'flow-ended'; readonly id: string }
  /** Tokens were renewed or removed. */
  | { readonly type: 'credentials-changed' }
  /** The page that people come back to is done with that. */
  | { readonly type: 'callback-done' };

const CHANNEL = 'portico sign-in';

/** One end of the channel. */
export interface TabMessages {
  post(message: TabMessage): void;
  close(): void;
}

function isTabMessage(value: unknown): value is TabMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id } = value as { readonly type?: unknown; readonly id?: unknown };
  return type === 'flow-ended'
    ? typeof id === 'string'
    : type === 'credentials-changed' || type === 'callback-done';
}

/** @param heard told what other ends say; must not throw */
export function openTabMessages(
  environment: Environment,
  heard: (message: TabMessage) => void = () => undefined,
): TabMessages {
  const channel = environment.openChannel(CHANNEL);
  const stop = channel.listen((message) => {
    if (isTabMessage(message)) heard(message);
  });
  return {
    post: (message) => channel.post(message),
    close() {
      stop();
      channel.close();
    },
  };
}
