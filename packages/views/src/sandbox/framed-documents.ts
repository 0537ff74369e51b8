import { UI_METHODS, UI_SANDBOX_PREFIX } from '@portico/spec';
import { CSP_VIOLATION_METHOD } from '../bridge/csp-violation.ts';
import { OPAQUE_VIEW_SANDBOX } from './documents.ts';

/** A text as it may stand in a double-quoted attribute. */
function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** A value as it may stand in a script. */
function literal(value: string): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Runs before anything of the view and tells at most so many violations of its policy. */
const REPORTER = `(() => {
  let left = 50;
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (left-- <= 0) return;
    const params = { directive: effectiveDirective, blockedUri: blockedURI };
    parent.postMessage({ jsonrpc: '2.0', method: ${literal(CSP_VIOLATION_METHOD)}, params }, '*');
  });
  document.currentScript.remove();
})();`;

/**
 * A view's document as it is handed to the outer document of a sandbox. What is added stands before
 * everything that the view brings along, so that no markup of the view can get ahead of its policy,
 * and the view is laid out by the standards whatever its own document type.
 *
 * @param policy for sandboxes that may set none; left out where the outer document's own holds
 */
export function guestDocument(html: string, policy?: string): string {
  const meta =
    policy === undefined ? '' : `<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">`;
  return `<!doctype html><meta charset="utf-8">${meta}<script>${REPORTER}</script>${html}`;
}

export interface OuterDocumentOptions {
  /** Origin of the page around; `null` where it has none. */
  readonly pageOrigin: string;
  /** Policy of the view, in the form for a `<meta>` element. */
  readonly policy: string;
  /** Value of the `allow` attribute of the frame within. */
  readonly allow: string;
}

/**
 * The outer document of a view that gets no sandbox of its own: the text of a frame whose origin is
 * opaque. It asks for the view's document, shows it in a frame and carries messages. Its policy is
 * the view's: a document written into a frame inherits it and cannot shed it, and because the outer
 * document is none of the view's, a view that leads itself elsewhere meets `frame-src` there.
 *
 * Such a document inherits the policy of the page, too. Where that lets no inline script run, neither
 * this nor a view can start: the view then needs a sandbox on another origin.
 */
export function outerDocument({ pageOrigin, policy, allow }: OuterDocumentOptions): string {
  const page = literal(pageOrigin);
  const script = `(() => {
  const page = ${page};
  const target = page === 'null' ? '*' : page;
  let view;
  const show = ({ html }) => {
    view?.remove();
    view = document.createElement('iframe');
    view.title = 'View';
    view.setAttribute('sandbox', ${literal(OPAQUE_VIEW_SANDBOX)});
    view.setAttribute('allow', ${literal(allow)});
    view.srcdoc = html;
    Object.assign(view.style, { display: 'block', width: '100%', height: '100%', border: '0' });
    document.body.append(view);
  };
  addEventListener('message', ({ source, origin, data }) => {
    if (typeof data !== 'object' || data === null || data.jsonrpc !== '2.0') return;
    const kept = typeof data.method === 'string' && data.method.startsWith(${literal(UI_SANDBOX_PREFIX)});
    if (source === parent && origin === page) {
      if (data.method === ${literal(UI_METHODS.sandboxResourceReady)}) show(data.params);
      else if (!kept) view?.contentWindow?.postMessage(data, '*');
    } else if (view !== undefined && source === view.contentWindow && !kept) {
      parent.postMessage(data, target);
    }
  });
  Object.assign(document.documentElement.style, { height: '100%' });
  Object.assign(document.body.style, { margin: '0', height: '100%', overflow: 'hidden' });
  parent.postMessage({ jsonrpc: '2.0', method: ${literal(UI_METHODS.sandboxProxyReady)}, params: {} }, target);
})();`;
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">`;
  return `<!doctype html><html lang="en">${head}<title>View</title><body><script>${script}</script>`;
}
