import type { ToolCall } from '@portico/api';

const DENIED = 'The person declined this call.';

/** Calls that the person denied in one turn, with what the model was told (K68). */
export interface Denials {
  /** Remembers a denial and answers what the model is told. */
  add(call: ToolCall, message: string | undefined): string;
  /** What was said about the same tool with equal arguments before. */
  find(call: ToolCall): string | undefined;
}

export function createDenials(): Denials {
  const denied = new Map<string, string>();
  return {
    add(call, message) {
      const told = message === undefined || message === '' ? DENIED : `${DENIED} They say: ${message}`;
      denied.set(identity(call), told);
      return told;
    },
    find: (call) => denied.get(identity(call)),
  };
}

function identity(call: ToolCall): string {
  return JSON.stringify([call.connectorId, call.tool, sorted(call.arguments)]);
}

/** The same value with members in one order, so that equal arguments give equal text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}
