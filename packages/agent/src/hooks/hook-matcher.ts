import type { HookCallbackMatcher } from '../contract/hooks.ts';
import { AgentError } from '../errors.ts';
import { ruleMatches } from '../permissions/rules.ts';
import type { RuleSubject } from '../permissions/rules.ts';

/** What a matcher is tested against: a tool, or the word that an event is about. */
export type HookSubject = RuleSubject | string | undefined;

/** Names alone, joined by `|` or `,`; a star only at the end of a server's tools. */
const PLAIN_NAMES = /^[\w-]+(?:__\*)?(?:\s*[|,]\s*[\w-]+(?:__\*)?)*$/;

/**
 * Turns a matcher into a test. Names match exactly, `mcp__<server>` all tools of that server,
 * anything else is an unanchored regular expression (rule G101).
 * @throws AgentError `invalid_option` for an expression that is none
 */
export function compileMatcher(entry: HookCallbackMatcher): (subject: HookSubject) => boolean {
  const matcher = entry.matcher ?? '';
  if (matcher === '' || matcher === '*') return () => true;
  if (PLAIN_NAMES.test(matcher)) {
    const names = matcher.split(/[|,]/).map((name) => name.trim());
    return (subject) =>
      subject === undefined ||
      names.some((name) =>
        typeof subject === 'string' ? name === subject : ruleMatches({ toolName: name }, subject),
      );
  }
  let expression: RegExp;
  try {
    expression = new RegExp(matcher);
  } catch (cause) {
    throw new AgentError(
      'invalid_option',
      { option: 'hooks' },
      { cause, message: `hooks: the matcher ${JSON.stringify(matcher)} is no regular expression` },
    );
  }
  return (subject) => {
    if (subject === undefined) return true;
    return expression.test(typeof subject === 'string' ? subject : subject.name);
  };
}
