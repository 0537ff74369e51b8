import type { MethodTable } from '../methods.ts';

/** Requests and notifications that every legacy revision has. */
export const SHARED_LEGACY_METHODS: MethodTable = {
  initialize: { kind: 'request', sender: 'client', uncancellable: true },
  'notifications/initialized': { kind: 'notification', sender: 'client' },
  ping: { kind: 'request', sender: 'both' },
  'notifications/cancelled': { kind: 'notification', sender: 'both' },
  'notifications/progress': { kind: 'notification', sender: 'both' },
  'tools/list': { kind: 'request', sender: 'client', serverCapability: 'tools' },
  'tools/call': { kind: 'request', sender: 'client', serverCapability: 'tools' },
  'notifications/tools/list_changed': {
    kind: 'notification',
    sender: 'server',
    serverCapability: 'tools.listChanged',
  },
  'resources/list': { kind: 'request', sender: 'client', serverCapability: 'resources' },
  'resources/templates/list': { kind: 'request', sender: 'client', serverCapability: 'resources' },
  'resources/read': { kind: 'request', sender: 'client', serverCapability: 'resources' },
  'resources/subscribe': {
    kind: 'request',
    sender: 'client',
    serverCapability: 'resources.subscribe',
  },
  'resources/unsubscribe': {
    kind: 'request',
    sender: 'client',
    serverCapability: 'resources.subscribe',
  },
  'notifications/resources/updated': {
    kind: 'notification',
    sender: 'server',
    serverCapability: 'resources.subscribe',
  },
  'notifications/resources/list_changed': {
    kind: 'notification',
    sender: 'server',
    serverCapability: 'resources.listChanged',
  },
  'prompts/list': { kind: 'request', sender: 'client', serverCapability: 'prompts' },
  'prompts/get': { kind: 'request', sender: 'client', serverCapability: 'prompts' },
  'notifications/prompts/list_changed': {
    kind: 'notification',
    sender: 'server',
    serverCapability: 'prompts.listChanged',
  },
  'completion/complete': { kind: 'request', sender: 'client', serverCapability: 'completions' },
  'logging/setLevel': { kind: 'request', sender: 'client', serverCapability: 'logging' },
  'notifications/message': { kind: 'notification', sender: 'server', serverCapability: 'logging' },
  'sampling/createMessage': { kind: 'request', sender: 'server', clientCapability: 'sampling' },
  'roots/list': { kind: 'request', sender: 'server', clientCapability: 'roots' },
  'notifications/roots/list_changed': {
    kind: 'notification',
    sender: 'client',
    clientCapability: 'roots.listChanged',
  },
};

/** Revision 2025-06-18 brought elicitation. */
export const METHODS_2025_06_18: MethodTable = {
  ...SHARED_LEGACY_METHODS,
  'elicitation/create': { kind: 'request', sender: 'server', clientCapability: 'elicitation' },
};
