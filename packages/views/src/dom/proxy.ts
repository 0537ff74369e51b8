/**
 * The script of a view's outer document. It shows the view's own document in a frame and carries
 * messages between that frame and the shell. It starts no conversation of its own, and keeps
 * messages that concern only shell and sandbox from passing through.
 */

const SANDBOX_PREFIX = 'ui/notifications/sandbox-';

interface ProxySetup {
  readonly shellOrigin: string;
  readonly appPath: string;
  readonly sandbox: string;
  readonly allow: string;
}

function readSetup(script: Element | null): ProxySetup {
  const attribute = (name: string): string => script?.getAttribute(name) ?? '';
  return {
    shellOrigin: attribute('data-shell'),
    appPath: attribute('data-app'),
    sandbox: attribute('data-sandbox'),
    allow: attribute('data-allow'),
  };
}

function isRelayed(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const { jsonrpc, method } = data as { jsonrpc?: unknown; method?: unknown };
  if (jsonrpc !== '2.0') return false;
  return typeof method !== 'string' || !method.startsWith(SANDBOX_PREFIX);
}

function createAppFrame(view: Window, setup: ProxySetup): HTMLIFrameElement {
  const frame = view.document.createElement('iframe');
  frame.setAttribute('sandbox', setup.sandbox);
  frame.setAttribute('allow', setup.allow);
  frame.setAttribute('referrerpolicy', 'no-referrer');
  frame.title = 'View';
  frame.src = setup.appPath;
  // Set one by one: the document's policy forbids style elements and attributes, not this.
  Object.assign(view.document.documentElement.style, { height: '100%' });
  Object.assign(view.document.body.style, { margin: '0', height: '100%', overflow: 'hidden' });
  Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0' });
  return frame;
}

/** Starts the proxy in a framed document; one that is not framed has nobody to serve. */
function startProxy(view: Window): void {
  const script = view.document.currentScript;
  const setup = readSetup(script);
  script?.remove();
  if (view.parent === view || setup.shellOrigin === '') return;
  const frame = createAppFrame(view, setup);
  const ownOrigin = view.location.origin;
  view.addEventListener('message', ({ source, origin, data }) => {
    if (!isRelayed(data)) return;
    if (source === view.parent && origin === setup.shellOrigin)
      frame.contentWindow?.postMessage(data, ownOrigin);
    else if (source === frame.contentWindow && origin === ownOrigin)
      view.parent.postMessage(data, setup.shellOrigin);
  });
  view.document.body.append(frame);
}

// This file is the script that runs in the outer document: running is all it does.
startProxy(window);
