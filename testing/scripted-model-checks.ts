/** What a model provider refuses about a request body, in the order in which it looks. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function toolProblem(tool: unknown, place: string): string | undefined {
  if (!isFields(tool)) return `${place}: a tool is an object`;
  if (typeof tool['name'] !== 'string' || !TOOL_NAME.test(tool['name'])) {
    return `${place}.name: must match ${TOOL_NAME.source}`;
  }
  const schema = tool['input_schema'];
  if (!isFields(schema) || schema['type'] !== 'object') {
    return `${place}.input_schema.type: must be "object"`;
  }
  for (const word of ['oneOf', 'anyOf', 'allOf']) {
    if (word in schema) return `${place}.input_schema: ${word} is not supported at the root`;
  }
  const bad = Object.keys(isFields(schema['properties']) ? schema['properties'] : {}).find(
    (name) => !PROPERTY_NAME.test(name),
  );
  return bad === undefined ? undefined : `${place}.input_schema.properties: bad property name ${bad}`;
}

function toolsProblem(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return 'tools: must be a list';
  const names = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    const problem = toolProblem(tool, `tools.${index}`);
    if (problem !== undefined) return problem;
    const name = (tool as Fields)['name'];
    if (names.has(name)) return `tools.${index}.name: names must be unique`;
    names.add(name);
  }
  return undefined;
}

function imageProblem(block: Fields, place: string): string | undefined {
  const source = block['source'];
  if (!isFields(source)) return `${place}.source: missing`;
  if (source['type'] !== 'base64') return undefined;
  if (!IMAGE_TYPES.has(String(source['media_type']))) {
    return `${place}.source.media_type: ${String(source['media_type'])} is not supported`;
  }
  return source['data'] === '' ? `${place}.source.data: empty` : undefined;
}

function blockProblem(block: unknown, place: string): string | undefined {
  if (!isFields(block)) return `${place}: a block is an object`;
  if (block['type'] === 'text' && (typeof block['text'] !== 'string' || block['text'] === '')) {
    return `${place}: text content blocks must not be empty`;
  }
  if (block['type'] === 'tool_use' && !isFields(block['input'])) return `${place}.input: must be an object`;
  if (block['type'] === 'image') return imageProblem(block, place);
  if (block['type'] !== 'tool_result') return undefined;
  for (const [index, inner] of listOf(block['content']).entries()) {
    const problem = blockProblem(inner, `${place}.tool_result.content.${index}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const blocksOf = (message: Fields): readonly Fields[] =>
  typeof message['content'] === 'string'
    ? [{ type: 'text', text: message['content'] }]
    : listOf(message['content']).filter(isFields);

const idsOf = (message: Fields | undefined, type: string, field: string): unknown[] =>
  message === undefined
    ? []
    : blocksOf(message)
        .filter((block) => block['type'] === type)
        .map((block) => block[field]);

function pairingProblem(messages: readonly Fields[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    const asked = message['role'] === 'assistant' ? idsOf(message, 'tool_use', 'id') : [];
    const answered = idsOf(messages[index + 1], 'tool_result', 'tool_use_id');
    const missing = asked.filter((id) => !answered.includes(id));
    if (missing.length > 0) {
      return `messages.${index}: tool_use without tool_result in the next message: ${missing.join(', ')}`;
    }
    if (new Set(answered).size !== answered.length) {
      return `messages.${index + 1}: more than one tool_result for one tool_use`;
    }
    const before = index === 0 ? [] : idsOf(messages[index - 1], 'tool_use', 'id');
    const stray = idsOf(message, 'tool_result', 'tool_use_id').filter((id) => !before.includes(id));
    if (stray.length > 0) return `messages.${index}: tool_result without tool_use: ${stray.join(', ')}`;
    const types = blocksOf(message).map((block) => block['type']);
    const firstOther = types.findIndex((type) => type !== 'tool_result');
    if (firstOther !== -1 && types.lastIndexOf('tool_result') > firstOther) {
      return `messages.${index}: tool_result blocks come first`;
    }
  }
  return undefined;
}

function messagesProblem(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one is needed';
  for (const [index, message] of messages.entries()) {
    if (!isFields(message)) return `messages.${index}: must be an object`;
    const role = message['role'];
    if (role !== 'user' && role !== 'assistant') return `messages.${index}.role: user or assistant`;
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) return `messages.${index}: roles must alternate`;
    const blocks = blocksOf(message);
    if (blocks.length === 0) return `messages.${index}: content must not be empty`;
    for (const [place, block] of blocks.entries()) {
      const problem = blockProblem(block, `messages.${index}.content.${place}`);
      if (problem !== undefined) return problem;
    }
  }
  return pairingProblem(messages as readonly Fields[]);
}

/** The text with which a provider answers 400, or nothing when the body is fine. */
export function requestProblem(body: unknown): string | undefined {
  if (!isFields(body)) return 'the body must be a JSON object';
  if (typeof body['model'] !== 'string' || body['model'] === '') return 'model: missing';
  const limit = body['max_tokens'];
  if (!Number.isInteger(limit) || Number(limit) < 1) return 'max_tokens: must be at least 1';
  return toolsProblem(body['tools']) ?? messagesProblem(body['messages']);
}
