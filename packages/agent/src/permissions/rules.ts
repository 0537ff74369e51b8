import type { PermissionBehavior, PermissionRuleValue } from '../contract/permissions.ts';
import { AgentError } from '../errors.ts';
import { spellings } from '../tools/tool-names.ts';

/** What a rule is matched against. */
export interface RuleSubject {
  /** The tool's name as the model knows it. */
  readonly name: string;
  readonly ownName: string;
  readonly server?: string;
  readonly tool?: string;
}

const RULE = /^([^()\s]+)(?:\((.*)\))?$/s;

/**
 * Reads `Tool` or `Tool(content)`; `Tool()` and `Tool(*)` mean every call.
 * Nothing when it is neither.
 */
export function parseRule(text: string): PermissionRuleValue | undefined {
  const [, toolName, content] = RULE.exec(text.trim()) ?? [];
  if (toolName === undefined) return undefined;
  return content === undefined || content === '' || content === '*'
    ? { toolName }
    : { toolName, ruleContent: content };
}

/** Whether the text fits a pattern in which `*` stands for any run of characters; linear. */
export function fitsPattern(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Whether the part of a rule after `mcp__` names this server, or tools of it. */
function fitsServer(rule: string, server: string, tool: string): boolean {
  for (const name of spellings(server)) {
    if (rule === name) return true;
    if (!rule.startsWith(`${name}__`)) continue;
    const pattern = rule.slice(name.length + 2);
    if (spellings(tool).some((spelling) => fitsPattern(spelling, pattern))) return true;
  }
  return false;
}

/**
 * Whether a rule means this tool: by either of its names, or as `mcp__<server>`,
 * `mcp__<server>__<pattern>` or `mcp__*`. A rule with content never matches a tool of an MCP
 * server, as such calls have no content to match (rules G72, G87).
 */
export function ruleMatches(rule: PermissionRuleValue, subject: RuleSubject): boolean {
  if (rule.ruleContent !== undefined && rule.ruleContent !== '' && rule.ruleContent !== '*') return false;
  if (rule.toolName === subject.name || rule.toolName === subject.ownName) return true;
  if (!rule.toolName.startsWith('mcp__')) return false;
  if (rule.toolName === 'mcp__*') return subject.ownName.startsWith('mcp__');
  if (subject.server === undefined || subject.tool === undefined) return false;
  return fitsServer(rule.toolName.slice('mcp__'.length), subject.server, subject.tool);
}

/** Rules by behaviour and by where they come from. */
export interface RuleBook {
  add(behavior: PermissionBehavior, origin: string, rules: readonly PermissionRuleValue[]): void;
  /** Puts these rules in place of all of that behaviour and origin. */
  replace(behavior: PermissionBehavior, origin: string, rules: readonly PermissionRuleValue[]): void;
  remove(behavior: PermissionBehavior, origin: string, rules: readonly PermissionRuleValue[]): void;
  matches(behavior: PermissionBehavior, subject: RuleSubject): boolean;
}

const sameRule = (a: PermissionRuleValue, b: PermissionRuleValue): boolean =>
  a.toolName === b.toolName && (a.ruleContent ?? '*') === (b.ruleContent ?? '*');

export function createRuleBook(): RuleBook {
  const books = new Map<string, PermissionRuleValue[]>();
  const key = (behavior: PermissionBehavior, origin: string): string => `${behavior} ${origin}`;
  return {
    add: (behavior, origin, rules) => {
      const at = key(behavior, origin);
      books.set(at, [...(books.get(at) ?? []), ...rules]);
    },
    replace: (behavior, origin, rules) => void books.set(key(behavior, origin), [...rules]),
    remove: (behavior, origin, rules) => {
      const at = key(behavior, origin);
      const kept = (books.get(at) ?? []).filter((rule) => !rules.some((gone) => sameRule(rule, gone)));
      books.set(at, kept);
    },
    matches: (behavior, subject) =>
      [...books].some(
        ([at, rules]) => at.startsWith(`${behavior} `) && rules.some((rule) => ruleMatches(rule, subject)),
      ),
  };
}

/**
 * Reads the rules of `allowedTools` and `disallowedTools`.
 * @throws AgentError `invalid_option` for a deny rule that cannot be read, as guessing at a
 * prohibition is unsafe; an allow rule that cannot be read grants nothing and is a warning
 */
export function readRules(
  texts: readonly string[],
  behavior: 'allow' | 'deny',
  warn: (text: string) => void,
): PermissionRuleValue[] {
  const option = behavior === 'deny' ? 'disallowedTools' : 'allowedTools';
  const rules: PermissionRuleValue[] = [];
  for (const text of texts) {
    const rule = parseRule(text);
    if (rule === undefined && behavior === 'deny') {
      throw new AgentError(
        'invalid_option',
        { option },
        { message: `${option}: cannot read the rule ${JSON.stringify(text)}` },
      );
    }
    if (rule === undefined)
      warn(`${option}: the rule ${JSON.stringify(text)} cannot be read and grants nothing.`);
    else rules.push(rule);
    if (rule?.ruleContent !== undefined && rule.toolName.startsWith('mcp__')) {
      warn(`${option}: ${JSON.stringify(text)} never matches, as tools of servers have no content.`);
    }
  }
  return rules;
}
