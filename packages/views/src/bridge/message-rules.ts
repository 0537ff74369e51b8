import type { ContentBlock } from '@portico/spec';
import type { Refusal } from '../errors.ts';
import type { Profile } from '../profiles.ts';

function textOf(block: ContentBlock): string | undefined {
  return block.type === 'text' && typeof block.text === 'string' ? block.text : undefined;
}

/** Why a message of a view is not taken, if so. */
export function messageRefusal(
  content: readonly ContentBlock[],
  rules: Profile['messages'],
): Refusal | undefined {
  const texts = content.map(textOf).filter((text) => text !== undefined);
  const blank = texts.every((text) => text.trim() === '');
  if (blank && texts.length === content.length)
    return { ruleId: 'apps-M11', reason: 'The message is blank.' };
  if (rules.textOnly && texts.length < content.length) {
    return { ruleId: 'apps-M12', reason: 'A message may hold text only.' };
  }
  if (texts.join('\n').length > rules.maxLength) {
    return { ruleId: 'apps-M13', reason: `A message has at most ${rules.maxLength} characters.` };
  }
  return undefined;
}
