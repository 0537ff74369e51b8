import { freeze } from './builtins.ts';
import { createClaudeMcp } from './claude-mcp.ts';
import type { ClaudeMcp } from './claude-mcp.ts';
import { createClaudePermissions } from './claude-permissions.ts';
import type { ClaudePermissions } from './claude-permissions.ts';
import { createSession } from './session.ts';
import type { KernelClock, KernelPort } from './session.ts';

/** `window.claude`: one member a capability. */
export interface ClaudeRoot {
  readonly mcp?: ClaudeMcp;
  readonly permissions: ClaudePermissions;
}

export interface KernelOptions {
  readonly port: KernelPort;
  readonly clock: KernelClock;
  /** Whether the artifact declared any use of connectors. */
  readonly mcp: boolean;
}

/** Builds the object that pages see; nothing of it can be changed afterwards. */
export function createClaudeRoot(options: KernelOptions): ClaudeRoot {
  const session = createSession(options.port, options.clock);
  const permissions = createClaudePermissions(session);
  return freeze(options.mcp ? { mcp: createClaudeMcp(session), permissions } : { permissions });
}
