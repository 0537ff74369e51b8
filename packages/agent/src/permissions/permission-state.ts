import type {
  PermissionBehavior,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
} from '../contract/permissions.ts';
import { AgentError } from '../errors.ts';
import { createRuleBook } from './rules.ts';
import type { RuleSubject } from './rules.ts';

const MODES: ReadonlySet<string> = new Set<PermissionMode>([
  'default',
  'acceptEdits',
  'sandboxBashMode',
  'bypassPermissions',
  'plan',
]);
const BEHAVIORS: ReadonlySet<string> = new Set<PermissionBehavior>(['allow', 'deny', 'ask']);
const DESTINATIONS: ReadonlySet<string> = new Set([
  'session',
  'localSettings',
  'projectSettings',
  'userSettings',
]);

export function isPermissionMode(mode: unknown): mode is PermissionMode {
  return typeof mode === 'string' && MODES.has(mode);
}

/** What decided a call, and how. */
type Verdict =
  | { readonly behavior: 'allow' }
  | { readonly behavior: 'deny'; readonly reason: string }
  | { readonly behavior: 'ask'; readonly suggestions: PermissionUpdate[] };

/** What the session may do at this moment. */
export interface PermissionState {
  readonly mode: PermissionMode;
  /** @throws AgentError `unknown_mode` */
  setMode(mode: PermissionMode): void;
  /** Whether a bare deny rule hides the tool from the model. */
  hides(subject: RuleSubject): boolean;
  /** @param hook what the PreToolUse hooks said together */
  judge(subject: RuleSubject & { readonly readOnly: boolean }, hook?: 'allow' | 'ask'): Verdict;
  /** Applies all updates, or none when one is malformed, and says which. */
  apply(updates: readonly PermissionUpdate[]): { readonly ok: boolean };
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isRule = (value: unknown): value is PermissionRuleValue =>
  typeof value === 'object' &&
  value !== null &&
  'toolName' in value &&
  isText(value.toolName) &&
  value.toolName !== '';

/** Updates come from a callback that may be untyped. */
function isUpdate(value: unknown): value is PermissionUpdate {
  if (typeof value !== 'object' || value === null) return false;
  const update = value as Readonly<Record<string, unknown>>;
  if (!DESTINATIONS.has(String(update['destination']))) return false;
  switch (update['type']) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules':
      return (
        BEHAVIORS.has(String(update['behavior'])) &&
        Array.isArray(update['rules']) &&
        update['rules'].every(isRule)
      );
    case 'setMode':
      return isPermissionMode(update['mode']);
    case 'addDirectories':
    case 'removeDirectories':
      return Array.isArray(update['directories']) && update['directories'].every(isText);
    default:
      return false;
  }
}

/** What would let the same call pass next time. */
function suggestionsFor(subject: RuleSubject): PermissionUpdate[] {
  return [
    { type: 'addRules', rules: [{ toolName: subject.name }], behavior: 'allow', destination: 'session' },
  ];
}

export interface PermissionStart {
  readonly mode: PermissionMode;
  readonly allow: readonly PermissionRuleValue[];
  readonly deny: readonly PermissionRuleValue[];
  warn(text: string): void;
}

/** Judges in the order of rule G57: deny rules, ask rules, mode, allow rules, the person. */
function judge(
  state: { readonly mode: PermissionMode; matches(behavior: PermissionBehavior): boolean },
  subject: RuleSubject & { readonly readOnly: boolean },
  hook: 'allow' | 'ask' | undefined,
): Verdict {
  if (state.matches('deny')) return { behavior: 'deny', reason: 'A rule of this session forbids it.' };
  if (state.matches('ask') || hook === 'ask') return { behavior: 'ask', suggestions: [] };
  if (state.mode === 'bypassPermissions') return { behavior: 'allow' };
  // While planning, what may change something needs a yes of its own, whatever the rules grant.
  if (state.mode === 'plan' && !subject.readOnly) return { behavior: 'ask', suggestions: [] };
  if (hook === 'allow' || state.matches('allow')) return { behavior: 'allow' };
  return { behavior: 'ask', suggestions: suggestionsFor(subject) };
}

function createApply(
  rules: ReturnType<typeof createRuleBook>,
  setMode: (mode: PermissionMode) => void,
  warn: (text: string) => void,
): (update: PermissionUpdate) => void {
  return (update) => {
    if (update.destination !== 'session') {
      warn(
        `A permission update for ${update.destination} holds for this session only: settings are not written.`,
      );
    }
    switch (update.type) {
      case 'addRules':
        return rules.add(update.behavior, update.destination, update.rules);
      case 'replaceRules':
        return rules.replace(update.behavior, update.destination, update.rules);
      case 'removeRules':
        return rules.remove(update.behavior, update.destination, update.rules);
      case 'setMode':
        return setMode(update.mode);
      case 'addDirectories':
      case 'removeDirectories':
        // Directories bound file tools, of which there are none yet.
        return undefined;
    }
  };
}

export function createPermissionState(start: PermissionStart): PermissionState {
  const rules = createRuleBook();
  rules.add('allow', 'options', start.allow);
  rules.add('deny', 'options', start.deny);
  let mode = start.mode;
  const applyOne = createApply(
    rules,
    (next) => (mode = next),
    (text) => start.warn(text),
  );
  return {
    get mode() {
      return mode;
    },
    setMode: (next) => {
      if (!isPermissionMode(next)) throw new AgentError('unknown_mode', { mode: String(next) });
      mode = next;
    },
    hides: (subject) => rules.matches('deny', subject),
    judge: (subject, hook) =>
      judge({ mode, matches: (behavior) => rules.matches(behavior, subject) }, subject, hook),
    apply: (updates) => {
      if (!Array.isArray(updates) || !updates.every(isUpdate)) return { ok: false };
      for (const update of updates) applyOne(update);
      return { ok: true };
    },
  };
}
