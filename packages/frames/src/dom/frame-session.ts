import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import { createBroker } from '../broker/broker.ts';
import type { Broker } from '../broker/broker.ts';
import { createConsent } from '../broker/consent.ts';
import type { AskViewer, Consent, ConsentDecision } from '../broker/consent.ts';
import type { FrameGateway } from '../broker/gateway.ts';
import type { ManifestServer } from '../manifest-shape.ts';
import { HELLO, WIRE_VERSION } from '../wire.ts';

/** One rendered instance of an artifact, as the host's API hands it out. */
export interface FrameSession {
  readonly frameId: string;
  /** Address of the document, on the artifact's own origin. */
  readonly url: string;
  readonly origin: string;
  readonly artifact: {
    readonly title: string;
    readonly servers: readonly ManifestServer[];
    readonly grants: readonly { readonly server: string; readonly state: 'ask' | 'allow' | 'deny' }[];
  };
}

export interface FrameHost {
  readonly gateway: FrameGateway;
  /** Shows the consent dialog of the page around the frame. */
  readonly ask: AskViewer;
  /** Default: the platform's time. */
  readonly clock?: Clock;
  /** How long the page's kernel waits for one answer, in milliseconds. */
  readonly replyBudgetMs?: number;
  /** Faults that end nothing, for a log. */
  readonly onFault?: (error: Error) => void;
}

/** The documents that one iframe shows one after another, of which one at a time is served. */
export interface FrameDocuments {
  /** A message that came from the iframe's window and the frame's origin. True for a handshake. */
  hello(data: unknown, ports: readonly MessagePort[]): boolean;
  /** The iframe has loaded a document; one that said no hello ends the former one's session. */
  loaded(): void;
  setGrant(server: string, decision: ConsentDecision | 'ask'): void;
  close(): void;
}

function isHello(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const { type, versions } = data as { type?: unknown; versions?: unknown };
  return type === HELLO && Array.isArray(versions) && versions.includes(WIRE_VERSION);
}

function consentOf(session: FrameSession, ask: AskViewer): Consent {
  const { servers, grants } = session.artifact;
  const inState = (state: string): string[] =>
    grants.filter((grant) => grant.state === state).map((grant) => grant.server);
  return createConsent({
    servers: servers.map((server) => server.name),
    granted: inState('allow'),
    denied: inState('deny'),
    ask,
  });
}

export function createFrameDocuments(session: FrameSession, host: FrameHost): FrameDocuments {
  const consent = consentOf(session, host.ask);
  const told = new Map<string, string>(session.artifact.grants.map(({ server, state }) => [server, state]));
  let current: Promise<Broker> | undefined;
  let saidHello = false;
  let closed = false;

  const endCurrent = (): void => {
    const broker = current;
    current = undefined;
    void broker?.then((open) => open.close());
  };
  return {
    hello(data, ports) {
      const port = ports[0];
      if (closed || port === undefined || !isHello(data)) return false;
      endCurrent();
      saidHello = true;
      current = createBroker({
        port,
        manifest: { mcp: { servers: session.artifact.servers } },
        consent,
        gateway: host.gateway,
        clock: host.clock ?? systemClock,
        ...(host.replyBudgetMs === undefined ? {} : { replyBudgetMs: host.replyBudgetMs }),
        ...(host.onFault === undefined ? {} : { onFault: host.onFault }),
      });
      return true;
    },
    loaded() {
      if (!saidHello) endCurrent();
      saidHello = false;
    },
    setGrant(server, decision) {
      // Hearing the same again must not undo what the viewer has said to this page since.
      if (told.get(server) === decision) return;
      told.set(server, decision);
      consent.set(server, decision);
    },
    close() {
      closed = true;
      endCurrent();
    },
  };
}
