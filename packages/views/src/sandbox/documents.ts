import type { McpUiResourcePermissions } from '@portico/spec';
import { ViewsError } from '../errors.ts';
import type { Profile } from '../profiles.ts';
import type { ViewResource } from '../view-resource.ts';
import { viewContentSecurityPolicy } from './content-security-policy.ts';
import type { ViewPolicy } from './content-security-policy.ts';

/** A response of a sandbox host. */
export interface SandboxDocument {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Value of the `sandbox` attribute of both frames of a view. */
export const VIEW_SANDBOX = 'allow-scripts allow-same-origin allow-forms';

/** The same where a view has no origin of its own: then it must not share its server's. */
export const OPAQUE_VIEW_SANDBOX = 'allow-scripts allow-forms';

const FEATURES: readonly (readonly [keyof McpUiResourcePermissions, string])[] = [
  ['camera', 'camera'],
  ['microphone', 'microphone'],
  ['geolocation', 'geolocation'],
  ['clipboardWrite', 'clipboard-write'],
];

const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** The `allow` attribute for the features that a view was granted. */
export function viewAllow(permissions: McpUiResourcePermissions): string {
  return FEATURES.filter(([key]) => permissions[key] !== undefined)
    .map(([, feature]) => feature)
    .join('; ');
}

/** Throws unless the value is an http(s) origin, which then cannot end a directive. */
function checkOrigin(name: string, value: string): string {
  if (/^https?:\/\/[a-z0-9.[\]:-]+$/i.test(value) && URL.canParse(value) && new URL(value).origin === value)
    return value;
  throw new ViewsError('unsafe_value', { name, value });
}

function checkMatch(name: string, value: string, pattern: RegExp): string {
  if (pattern.test(value)) return value;
  throw new ViewsError('unsafe_value', { name, value });
}

export interface ProxyDocumentOptions {
  readonly shellOrigin: string;
  /** Path of the view's own document on the same origin. */
  readonly appPath: string;
  /** The bundled proxy script. */
  readonly script: string;
  /** Fresh random base64 for each response. */
  readonly nonce: string;
  /** Value of {@link viewAllow}. */
  readonly allow: string;
}

/**
 * The outer document of a view: it runs one script, which loads the view's own document in a frame
 * and carries messages between it and the shell. Its policy lets it load nothing else.
 *
 * @throws ViewsError `unsafe_value` when a value could end the place it stands in
 */
export function proxyDocument(options: ProxyDocumentOptions): SandboxDocument {
  const shell = checkOrigin('shellOrigin', options.shellOrigin);
  const app = checkMatch('appPath', options.appPath, /^\/[\w./~-]*$/);
  const nonce = checkMatch('nonce', options.nonce, /^[\w+/=-]{16,}$/);
  const allow = checkMatch('allow', options.allow, /^[a-z; -]*$/);
  checkMatch('script', /<\/script|<!--/i.test(options.script) ? 'unsafe' : '', /^$/);
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${shell}`,
  ];
  const attributes = `nonce="${nonce}" data-shell="${shell}" data-app="${app}" data-sandbox="${VIEW_SANDBOX}" data-allow="${allow}"`;
  return {
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>View</title><body><script ${attributes}>${options.script.trim()}</script>`,
    headers: { ...COMMON_HEADERS, 'content-security-policy': policy.join('; ') },
  };
}

export interface ViewDocumentOptions {
  readonly resource: ViewResource;
  readonly shellOrigin: string;
  /** Default `open`. */
  readonly profile?: Profile;
  /**
   * For a browser that cannot resolve sandbox hosts: the document is served by the shell's own host,
   * and its headers alone give it an opaque origin, however it is opened. Default false.
   */
  readonly opaque?: boolean;
}

/**
 * The view's own document, unchanged, under the policy made from what its resource declares.
 *
 * @throws ViewsError `unsafe_value`
 */
export function viewDocument(
  options: ViewDocumentOptions,
): SandboxDocument & { readonly policy: ViewPolicy } {
  const { resource, profile } = options;
  const shellOrigin = checkOrigin('shellOrigin', options.shellOrigin);
  const policy = viewContentSecurityPolicy(resource.csp, {
    shellOrigin,
    ...(profile === undefined ? {} : { profile }),
  });
  return {
    body: resource.html,
    headers: {
      ...COMMON_HEADERS,
      'content-security-policy':
        options.opaque === true ? `sandbox ${OPAQUE_VIEW_SANDBOX}; ${policy.header}` : policy.header,
    },
    policy,
  };
}

/**
 * Headers of every other answer of a sandbox host, errors included. A page without a policy would
 * be a place from which code of the same origin could reach the network.
 */
export function sandboxFallbackHeaders(): Record<string, string> {
  return {
    ...COMMON_HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
}
