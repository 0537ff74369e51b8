/**
 * What kernel and broker say to each other. The kernel posts {@link HELLO} with one port to its
 * parent; from then on both sides write JSON-RPC texts to that port. Texts rather than objects,
 * because their size is known before anything is parsed and structured clone carries no surprise.
 */

/** `type` of the message that offers the port. */
export const HELLO = 'portico/frame-hello';

/** Generations of this protocol that the kernel speaks. */
export const WIRE_VERSION = 1;

/** Requests, kernel → broker. */
export const METHODS = {
  callTool: 'callTool',
  listTools: 'listTools',
  watchTool: 'watchTool',
  invalidate: 'invalidate',
  permissionState: 'permissions.state',
  permissionRequest: 'permissions.request',
} as const;

export type FrameMethod = (typeof METHODS)[keyof typeof METHODS];

/** Notifications. */
export const NOTICES = {
  /** broker → kernel: {@link InitParams}; a later one replaces the earlier. */
  init: 'frame/init',
  /** broker → kernel: `{id}` of a call that waits for the viewer. */
  hold: 'frame/hold',
  /** broker → kernel: `{id}` of a call that goes on. */
  resume: 'frame/resume',
  /** kernel → broker: `{requestId}` of a call that was given up. */
  cancel: 'frame/cancel',
} as const;

/** What the broker tells a frame about its session. */
export interface InitParams {
  /** The viewer's session lets this frame use connectors. */
  readonly granted: boolean;
  /** There is a way to the connectors in this view. */
  readonly bridge: boolean;
  /** Methods that this side serves. */
  readonly methods: readonly string[];
  /** How long the kernel waits for an answer, in milliseconds; clamped to 1 s to 600 s. */
  readonly replyBudgetMs?: number;
}

/** State of one permission name as a page reads it. */
export type PermissionState = 'granted' | 'prompt' | 'denied' | 'unavailable';
