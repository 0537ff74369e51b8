import { METHODS } from '../wire.ts';
import type { PermissionState } from '../wire.ts';
import { SavedPromise, isArray, lock, own, put, quoteJson } from './builtins.ts';
import { createFailure } from './failure.ts';
import type { Session } from './session.ts';

/** `window.claude.permissions`: names are `mcp` and `mcp:<server>`. */
export interface ClaudePermissions {
  /** Reads a state; never asks anybody. */
  state(name: unknown): Promise<PermissionState>;
  /** Asks the viewer about what is still open; resolves with the state of each name. */
  request(names: unknown): Promise<Readonly<Record<string, PermissionState>>>;
}

const MAX_NAMES = 64;

function readState(value: unknown): PermissionState {
  switch (value) {
    case 'granted':
    case 'prompt':
    case 'denied':
      return value;
    default:
      return 'unavailable';
  }
}

/** The names as JSON text; undefined when they are no short list of texts. */
function namesText(names: unknown): string | undefined {
  try {
    return listText(names);
  } catch {
    // A proxy or getter of the page threw.
    return undefined;
  }
}

function listText(names: unknown): string | undefined {
  if (!isArray(names) || names.length > MAX_NAMES) return undefined;
  let text = '';
  for (let index = 0; index < names.length; index++) {
    const name: unknown = names[index];
    if (typeof name !== 'string') return undefined;
    text += `${index === 0 ? '' : ','}${quoteJson(name)}`;
  }
  return `[${text}]`;
}

function statesOf(names: readonly string[], result: unknown): Record<string, PermissionState> {
  const states: Record<string, PermissionState> = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    put(states, name, readState(own(result, name)));
  }
  return states;
}

export function createClaudePermissions(session: Session): ClaudePermissions {
  const permissions: ClaudePermissions = {
    state(name) {
      return new SavedPromise((resolve) => {
        if (typeof name !== 'string') {
          resolve('unavailable');
          return;
        }
        const params = `{"name":${quoteJson(name)}}`;
        session.call({
          method: METHODS.permissionState,
          params,
          // A view that cannot say has nothing to offer, which is a state and no failure.
          settle: (_failure, result) => resolve(readState(own(result, 'state'))),
        });
      });
    },
    request(names) {
      return new SavedPromise((resolve, reject) => {
        const text = namesText(names);
        if (text === undefined) {
          const message = `The names have to be a list of at most ${MAX_NAMES} texts.`;
          reject(createFailure('bad_request', { message }));
          return;
        }
        // A copy of what was checked: the page may change its list while the viewer decides.
        const copy: string[] = [];
        const source = names as readonly string[];
        for (let index = 0; index < source.length; index++) put(copy, String(index), source[index]);
        session.call({
          method: METHODS.permissionRequest,
          params: `{"names":${text}}`,
          settle(failure, result) {
            if (failure === undefined) resolve(statesOf(copy, result));
            else reject(failure);
          },
        });
      });
    },
  };
  return lock(permissions);
}
