import type { BetaContentBlock } from '@anthropic-ai/sdk/resources/beta/messages/messages';

type Fields = Readonly<Record<string, unknown>>;

/** A content block whose deltas are still arriving. */
export interface OpenBlock {
  /** Adds a delta and returns how many characters came. Unknown deltas are passed over. */
  grow(delta: Fields): number;
  /** Whether it is a text block with something to read. */
  readonly hasText: boolean;
  finish(): BetaContentBlock;
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The only field of an input that was no JSON object; its value is the text that came instead. */
const BAD_INPUT = '[bad_input]';

/** Whether the input of a tool use was no JSON object. */
export function isBadInput(input: unknown): boolean {
  return isFields(input) && Object.hasOwn(input, BAD_INPUT);
}

export function isBadToolUse(block: BetaContentBlock): boolean {
  return block.type === 'tool_use' && isBadInput(block.input);
}

/** Some providers send the whole input with the start of the block and no deltas. */
function inputOf(start: Fields, json: string): Fields {
  if (json === '') return isFields(start['input']) ? start['input'] : {};
  try {
    const input: unknown = JSON.parse(json);
    return isFields(input) ? input : { [BAD_INPUT]: json };
  } catch {
    return { [BAD_INPUT]: json };
  }
}

/** Which field of a block a delta adds to, and what. */
function growthOf(delta: Fields): { readonly field: string; readonly words: unknown } | undefined {
  switch (delta['type']) {
    case 'text_delta':
      return { field: 'text', words: delta['text'] };
    case 'input_json_delta':
      return { field: 'input', words: delta['partial_json'] };
    case 'thinking_delta':
      return { field: 'thinking', words: delta['thinking'] };
    case 'signature_delta':
      return { field: 'signature', words: delta['signature'] };
    default:
      return undefined;
  }
}

export function createOpenBlock(start: Fields): OpenBlock {
  const grown = new Map<string, string>();
  const citations: unknown[] = [];
  const takesInput = start['type'] === 'tool_use' || start['type'] === 'server_tool_use';
  return {
    grow: (delta) => {
      if (delta['type'] === 'citations_delta') citations.push(delta['citation']);
      const growth = growthOf(delta);
      if (growth === undefined || typeof growth.words !== 'string') return 0;
      grown.set(growth.field, (grown.get(growth.field) ?? '') + growth.words);
      return growth.words.length;
    },
    get hasText() {
      return start['type'] === 'text' && `${wordsOf(start['text'])}${grown.get('text') ?? ''}`.trim() !== '';
    },
    finish: () => {
      const fields: Record<string, unknown> = { ...start };
      if (takesInput) fields['input'] = inputOf(start, grown.get('input') ?? '');
      else for (const [field, words] of grown) fields[field] = `${wordsOf(fields[field])}${words}`;
      if (citations.length > 0) fields['citations'] = citations;
      return fields as unknown as BetaContentBlock;
    },
  };
}
