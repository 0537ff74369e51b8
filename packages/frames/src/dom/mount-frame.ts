import { systemClock } from '@portico/rpc';
import type { ConsentDecision } from '../broker/consent.ts';
import { FRAME_SANDBOX, OPAQUE_FRAME_SANDBOX } from '../headers.ts';
import { createFrameDocuments } from './frame-session.ts';
import type { FrameHost, FrameSession } from './frame-session.ts';

/** How far a frame has come. `failed` can still become `ready` when the page was only slow. */
export type FrameState =
  | { readonly status: 'loading' }
  | { readonly status: 'ready' }
  | { readonly status: 'failed'; readonly reason: 'no_handshake' };

export interface MountFrameOptions extends FrameHost {
  readonly session: FrameSession;
  /** Accessible name of the frame. Default: the artifact's title. */
  readonly title?: string;
  /** Told every change of state; must not throw. */
  readonly onState?: (state: FrameState) => void;
  /** How long the page may take to say hello, in milliseconds. Default 15 000. */
  readonly readyTimeoutMs?: number;
}

/** One artifact on the page. */
export interface MountedFrame {
  readonly element: HTMLIFrameElement;
  /** Takes over a decision that the viewer made elsewhere. */
  setGrant(server: string, decision: ConsentDecision | 'ask'): void;
  /** Ends the session and removes the element. Doing it twice has no effect. */
  dispose(): void;
}

const READY_TIMEOUT_MS = 15_000;

function createElement(container: HTMLElement, options: MountFrameOptions): HTMLIFrameElement {
  const element = container.ownerDocument.createElement('iframe');
  const opaque = options.session.origin === 'opaque';
  element.setAttribute('sandbox', opaque ? OPAQUE_FRAME_SANDBOX : FRAME_SANDBOX);
  element.setAttribute('allow', '');
  element.setAttribute('referrerpolicy', 'no-referrer');
  element.title = options.title ?? options.session.artifact.title;
  element.src = options.session.url;
  return element;
}

/**
 * Shows an artifact in `container` and serves its calls. Handshakes count only when they come from
 * this iframe's own window and from the artifact's origin; after one only its port is listened to.
 *
 * @param container an element of the trusted page; the frame becomes its last child
 */
export function mountFrame(container: HTMLElement, options: MountFrameOptions): MountedFrame {
  const view = container.ownerDocument.defaultView;
  const element = createElement(container, options);
  const documents = createFrameDocuments(options.session, options);
  const timer = (options.clock ?? systemClock).setTimer(options.readyTimeoutMs ?? READY_TIMEOUT_MS, () => {
    options.onState?.({ status: 'failed', reason: 'no_handshake' });
  });
  const { origin } = options.session;
  // Every opaque origin is announced by this one word; the window itself is what tells them apart.
  const expectedOrigin = origin === 'opaque' ? 'null' : origin;
  const onMessage = (event: MessageEvent): void => {
    if (event.source !== element.contentWindow || event.origin !== expectedOrigin) return;
    if (!documents.hello(event.data, event.ports)) return;
    timer.cancel();
    options.onState?.({ status: 'ready' });
  };
  const onLoad = (): void => documents.loaded();
  view?.addEventListener('message', onMessage);
  element.addEventListener('load', onLoad);
  options.onState?.({ status: 'loading' });
  container.append(element);
  return {
    element,
    setGrant: (server, decision) => documents.setGrant(server, decision),
    dispose() {
      timer.cancel();
      view?.removeEventListener('message', onMessage);
      element.removeEventListener('load', onLoad);
      documents.close();
      element.remove();
    },
  };
}
