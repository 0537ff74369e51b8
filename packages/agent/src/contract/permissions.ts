export type PermissionMode = 'default' | 'acceptEdits' | 'sandboxBashMode' | 'bypassPermissions' | 'plan';

export type PermissionBehavior = 'allow' | 'deny' | 'ask';

/** `Tool` or `Tool(content)`. */
export type PermissionRuleValue = {
  toolName: string;
  ruleContent?: string;
};

type PermissionUpdateDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session';

type RuleChange<Type extends string> = {
  type: Type;
  rules: PermissionRuleValue[];
  behavior: PermissionBehavior;
  destination: PermissionUpdateDestination;
};

type DirectoryChange<Type extends string> = {
  type: Type;
  directories: string[];
  destination: PermissionUpdateDestination;
};

/** A change to what the session may do. */
export type PermissionUpdate =
  | RuleChange<'addRules'>
  | RuleChange<'replaceRules'>
  | RuleChange<'removeRules'>
  | { type: 'setMode'; mode: PermissionMode; destination: PermissionUpdateDestination }
  | DirectoryChange<'addDirectories'>
  | DirectoryChange<'removeDirectories'>;

/** The answer of {@link CanUseTool}. */
export type PermissionResult =
  | {
      behavior: 'allow';
      /** The input that runs; the shown one when an untyped caller leaves it out. */
      updatedInput: Record<string, unknown>;
      /** Applied before the next check, typically the `suggestions` of this call. */
      updatedPermissions?: PermissionUpdate[];
    }
  | {
      behavior: 'deny';
      /** Told to the model. */
      message: string;
      /** Ends the turn after this refusal. */
      interrupt?: boolean;
    };

/**
 * Asked before a call that no rule decides; one question is open at a time. A rejection refuses the
 * call. `toolUseID` is ours: it tells which call is meant.
 */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    /** Fires when the answer is no longer wanted. */
    signal: AbortSignal;
    /** Updates that would let the same call pass unasked. */
    suggestions?: PermissionUpdate[];
    toolUseID?: string;
  },
) => Promise<PermissionResult>;
