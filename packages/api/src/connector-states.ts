/** What a connector can be (K27). */
export const CONNECTOR_STATUSES = [
  'connecting',
  'ready',
  'needs_sign_in',
  'signing_in',
  'degraded',
  'failed',
  'stopped',
  'disabled',
] as const;

export type ConnectorStatus = (typeof CONNECTOR_STATUSES)[number];

/** The one English word for each state, on every screen and in the command line. */
export const CONNECTOR_STATES: Readonly<Record<ConnectorStatus, string>> = {
  connecting: 'connecting',
  ready: 'ready',
  needs_sign_in: 'needs sign-in',
  signing_in: 'signing in',
  degraded: 'degraded',
  failed: 'failed',
  stopped: 'stopped',
  disabled: 'disabled',
};

/** Why a connector can be as it is where nothing is wrong with it; trouble is in the table of problems. */
export const CONNECTOR_CAUSE_KINDS = [
  'opening',
  'connected',
  'signInWaits',
  'approvalWaits',
  'firstUseWaits',
  'notRunning',
  'switchedOff',
] as const;

export type ConnectorCause = (typeof CONNECTOR_CAUSE_KINDS)[number];

export const CONNECTOR_CAUSES: Readonly<Record<ConnectorCause, string>> = {
  opening: 'It is being connected.',
  connected: 'It is connected.',
  signInWaits: 'A sign-in is under way.',
  approvalWaits: 'Its command waits for your approval.',
  firstUseWaits: 'It starts at its first use.',
  notRunning: 'It is not running.',
  switchedOff: 'It is switched off.',
};

/** What a person can do about a state. */
export const CONNECTOR_ACTION_NAMES = [
  'start',
  'reconnect',
  'sign_in',
  'cancel_sign_in',
  'change_credentials',
  'edit',
  'review',
  'enable',
] as const;

export type ConnectorAction = (typeof CONNECTOR_ACTION_NAMES)[number];

/** Each with the words of its button. */
export const CONNECTOR_ACTIONS: Readonly<Record<ConnectorAction, string>> = {
  start: 'Start',
  reconnect: 'Reconnect',
  sign_in: 'Sign in',
  cancel_sign_in: 'Cancel',
  change_credentials: 'Change credentials',
  edit: 'Edit',
  review: 'Review command',
  enable: 'Enable',
};
