import type { MethodTable } from '../methods.ts';

/** Revision 2026-07-28: no handshake, and servers write no requests of their own. */
export const METHODS_2026_07_28: MethodTable = {
  'server/discover': { kind: 'request', sender: 'client', cacheable: true },
  'subscriptions/listen': { kind: 'request', sender: 'client', longLived: true },
  'notifications/subscriptions/acknowledged': { kind: 'notification', sender: 'server' },
  'notifications/cancelled': { kind: 'notification', sender: 'both' },
  'notifications/progress': { kind: 'notification', sender: 'server' },
  'tools/list': {
    kind: 'request',
    sender: 'client',
    serverCapability: 'tools',
    cacheable: true,
  },
  'tools/call': {
    kind: 'request',
    sender: 'client',
    serverCapability: 'tools',
    nameParam: 'name',
    mayRequireInput: true,
    mayBecomeTask: true,
  },
  'notifications/tools/list_changed': {
    kind: 'notification',
    sender: 'server',
    serverCapability: 'tools.listChanged',
  },
  'resources/list': {
    kind: 'request',
    sender: 'client',
    serverCapability: 'resources',
    cacheable: true,
  },
  'resources/templates/list': {
    kind: 'request',
    sender: 'client',
    serverCapability: 'resources',
    cacheable: true,
  },
  'resources/read': {
    kind: 'request',
    sender: 'client',
    serverCapability: 'resources',
    nameParam: 'uri',
    cacheable: true,
    mayRequireInput: true,
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
  'prompts/list': {
    kind: 'request',
    sender: 'client',
    serverCapability: 'prompts',
    cacheable: true,
  },
  'prompts/get': {
    kind: 'request',
    sender: 'client',
    serverCapability: 'prompts',
    nameParam: 'name',
    mayRequireInput: true,
  },
  'notifications/prompts/list_changed': {
    kind: 'notification',
    sender: 'server',
    serverCapability: 'prompts.listChanged',
  },
  'completion/complete': { kind: 'request', sender: 'client', serverCapability: 'completions' },
  'notifications/message': { kind: 'notification', sender: 'server', serverCapability: 'logging' },
  'sampling/createMessage': {
    kind: 'request',
    sender: 'server',
    clientCapability: 'sampling',
  },
  'roots/list': {
    kind: 'request',
    sender: 'server',
    clientCapability: 'roots',
  },
  'elicitation/create': {
    kind: 'request',
    sender: 'server',
    clientCapability: 'elicitation',
  },
  'tasks/get': { kind: 'request', sender: 'client', nameParam: 'taskId' },
  'tasks/update': { kind: 'request', sender: 'client', nameParam: 'taskId' },
  'tasks/cancel': { kind: 'request', sender: 'client', nameParam: 'taskId' },
  'notifications/tasks': { kind: 'notification', sender: 'server' },
};
