import { checkOrigin } from './inject-kernel.ts';

/** Browser features that no published page gets. */
const WITHHELD_FEATURES = [
  'camera',
  'microphone',
  'geolocation',
  'clipboard-read',
  'display-capture',
  'fullscreen',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
] as const;

/** Value of the `sandbox` attribute of the element that shows a frame. */
export const FRAME_SANDBOX = 'allow-scripts allow-same-origin allow-forms';

/** The same where a frame has no origin of its own: then it must not share its server's. */
export const OPAQUE_FRAME_SANDBOX = 'allow-scripts allow-forms';

export interface FrameHeaderOptions {
  readonly shellOrigin: string;
  /**
   * For a browser that cannot resolve sandbox hosts: the page is served by the shell's own host, and
   * its headers alone give it an opaque origin, however it is opened. Default false.
   */
  readonly opaque?: boolean;
}

/**
 * Response headers of an artifact's document: everything inline may run, nothing may be fetched,
 * and only the shell may embed it (F182).
 *
 * @throws FramesError `invalid_origin`
 */
export function frameHeaders(options: FrameHeaderOptions): Record<string, string> {
  const policy = [
    ...(options.opaque === true ? [`sandbox ${OPAQUE_FRAME_SANDBOX}`] : []),
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval' blob: data:",
    "style-src 'unsafe-inline' data: blob:",
    'img-src data: blob:',
    'font-src data: blob:',
    'media-src data: blob:',
    'worker-src blob: data:',
    "connect-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${checkOrigin(options.shellOrigin)}`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'permissions-policy': WITHHELD_FEATURES.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'cache-control': 'no-store',
  };
}
