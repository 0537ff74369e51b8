import type { PermissionState } from '../wire.ts';

/** What the viewer has decided about one connector. */
export type ConsentDecision = 'allow' | 'deny';

/** Shows the one dialog; resolves with a decision for each server (a missing one counts as deny). */
export type AskViewer = (servers: readonly string[]) => Promise<Readonly<Record<string, ConsentDecision>>>;

/** Consent of one viewer for one artifact, for as long as the page around it lives. */
export interface Consent {
  /** `unavailable` for a server that was never declared. */
  state(server: string): PermissionState;
  /**
   * Asks about those that are still open and resolves when each is decided. Servers that are being
   * asked about already join that dialog; only one dialog is open at a time. Never rejects.
   */
  request(servers: readonly string[]): Promise<void>;
  /** Takes over a decision made elsewhere; `ask` takes a decision back. */
  set(server: string, decision: ConsentDecision | 'ask'): void;
}

export interface ConsentOptions {
  /** Servers of the manifest. */
  readonly servers: readonly string[];
  /** Decisions that are stored already. */
  readonly granted: readonly string[];
  readonly denied?: readonly string[];
  readonly ask: AskViewer;
}

/**
 * Keeps what was decided. A refusal holds until {@link Consent.set} changes it, so a page cannot
 * ask again and again.
 */
export function createConsent(options: ConsentOptions): Consent {
  const states = new Map<string, PermissionState>(options.servers.map((server) => [server, 'prompt']));
  for (const server of options.granted) if (states.has(server)) states.set(server, 'granted');
  for (const server of options.denied ?? []) if (states.has(server)) states.set(server, 'denied');
  const asking = new Map<string, Promise<void>>();
  let lastDialog: Promise<void> = Promise.resolve();

  const decide = async (servers: readonly string[]): Promise<void> => {
    const open = servers.filter((server) => states.get(server) === 'prompt');
    const decisions = open.length === 0 ? {} : await options.ask(open).catch(() => ({}));
    for (const server of open) {
      const allowed =
        Object.hasOwn(decisions, server) && decisions[server as keyof typeof decisions] === 'allow';
      states.set(server, allowed ? 'granted' : 'denied');
    }
  };

  return {
    state: (server) => states.get(server) ?? 'unavailable',
    async request(servers) {
      const open = servers.filter((server) => states.get(server) === 'prompt');
      const fresh = open.filter((server) => !asking.has(server));
      if (fresh.length > 0) {
        const dialog = lastDialog.then(() => decide(fresh));
        lastDialog = dialog;
        for (const server of fresh) {
          asking.set(server, dialog);
          void dialog.then(() => asking.delete(server));
        }
      }
      for (const server of open) await asking.get(server);
    },
    set(server, decision) {
      if (!states.has(server)) return;
      states.set(server, decision === 'ask' ? 'prompt' : decision === 'allow' ? 'granted' : 'denied');
    },
  };
}
