import { createSafeMap, defineProperty, messageData, postText } from '../kernel/builtins.ts';
import { createClaudeRoot } from '../kernel/claude-root.ts';
import type { KernelClock, KernelPort } from '../kernel/session.ts';
import { HELLO, WIRE_VERSION } from '../wire.ts';

/** Timers through saved functions; the table lets a timer be disarmed by a plain function. */
function createKernelClock(view: Window): KernelClock {
  const setTimer = view.setTimeout.bind(view);
  const clearTimer = view.clearTimeout.bind(view);
  const now = Date.now.bind(Date);
  const armed = createSafeMap<() => void>();
  let next = 0;
  return {
    now,
    setTimer(delayMs, run) {
      const key = ++next;
      armed.set(key, run);
      const id = setTimer(() => {
        if (armed.delete(key)) run();
      }, delayMs);
      return () => {
        armed.delete(key);
        clearTimer(id);
      };
    },
  };
}

function wrapPort(port: MessagePort): KernelPort {
  return {
    post: (text) => postText(port, text),
    receive(receive) {
      port.onmessage = (event) => receive(messageData(event));
    },
  };
}

/**
 * Offers one port to the embedding page. Only a page of the given origin can take it, so whatever
 * arrives on it came from there.
 */
function offerPort(view: Window, shellOrigin: string): KernelPort {
  const channel = new MessageChannel();
  const port = wrapPort(channel.port1);
  if (shellOrigin !== '') {
    view.parent.postMessage({ type: HELLO, versions: [WIRE_VERSION] }, shellOrigin, [channel.port2]);
  }
  return port;
}

/**
 * Installs `window.claude` in a framed page. In a page that is not framed nothing is installed:
 * such a page has no shell that could serve it.
 */
function installKernel(view: Window): void {
  const script = view.document.currentScript;
  const shellOrigin = script?.getAttribute('data-shell') ?? '';
  const mcp = script?.getAttribute('data-mcp') === 'true';
  script?.remove();
  if (view.parent === view) return;
  const value = createClaudeRoot({ port: offerPort(view, shellOrigin), clock: createKernelClock(view), mcp });
  defineProperty(view, 'claude', { value, enumerable: true, writable: false, configurable: false });
}

// This file is the script that runs in every served page: running is all it does.
installKernel(window);
