import type { MethodTable } from '../methods.ts';
import { METHODS_2025_06_18 } from '../rev-2025-06-18/methods.ts';

/** Revision 2025-11-25 brought URL elicitation and tasks. */
export const METHODS_2025_11_25: MethodTable = {
  ...METHODS_2025_06_18,
  'notifications/elicitation/complete': {
    kind: 'notification',
    sender: 'server',
    clientCapability: 'elicitation.url',
  },
  'tasks/get': { kind: 'request', sender: 'both' },
  'tasks/result': { kind: 'request', sender: 'both' },
  'tasks/list': { kind: 'request', sender: 'both' },
  'tasks/cancel': { kind: 'request', sender: 'both' },
  'notifications/tasks/status': { kind: 'notification', sender: 'both' },
};
