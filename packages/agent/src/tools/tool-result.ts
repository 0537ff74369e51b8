import type { ImageBlockParam, TextBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources';
import type { CallToolResult } from '@portico/spec';
import { imageFacts } from './image-facts.ts';

/** Largest image in bytes, longest side in pixels, and most images of one result. */
const MAX_IMAGE_BYTES = 5_000_000;
const MAX_IMAGE_SIDE = 8000;
const MAX_IMAGES = 20;

type ResultBlock = TextBlockParam | ImageBlockParam;

const text = (words: string): TextBlockParam => ({ type: 'text', text: words });

/** An error result whose text opens with its kind, such as `[denied]`. */
export function failureResult(toolUseId: string, words: string): ToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: toolUseId, is_error: true, content: [text(words)] };
}

function imageBlock(data: string, label: string): ResultBlock {
  const note = (why: string): TextBlockParam => text(`[An image (${label}) was left out: ${why}.]`);
  if (data.length > MAX_IMAGE_BYTES * 1.4) return note(`it is larger than ${MAX_IMAGE_BYTES} bytes`);
  const bytes = Buffer.from(data, 'base64');
  const facts = imageFacts(bytes);
  if (facts === undefined) return note('it is empty, broken or of a kind that the model cannot see');
  if (bytes.length > MAX_IMAGE_BYTES) return note(`it is larger than ${MAX_IMAGE_BYTES} bytes`);
  if (Math.max(facts.width ?? 0, facts.height ?? 0) > MAX_IMAGE_SIDE) {
    return note(`a side is longer than ${MAX_IMAGE_SIDE} pixels`);
  }
  return { type: 'image', source: { type: 'base64', media_type: facts.type, data } };
}

const sizeOf = (base64: string): number => Math.floor((base64.length * 3) / 4);

type Content = CallToolResult['content'][number];

function resourceBlock(resource: Readonly<Record<string, unknown>>): ResultBlock {
  const word = (field: string, otherwise: string): string =>
    typeof resource[field] === 'string' ? resource[field] : otherwise;
  const label = word('uri', 'a resource');
  if (typeof resource['text'] === 'string') return text(`[${label}]\n${resource['text']}`);
  const type = word('mimeType', 'unknown type');
  const blob = word('blob', '');
  if (type.startsWith('image/')) return imageBlock(blob, type);
  return text(`[${label} was left out: ${type}, ${sizeOf(blob)} bytes.]`);
}

function blockOf(content: Content): ResultBlock {
  switch (content.type) {
    case 'text':
      return text(content.text);
    case 'image':
      return imageBlock(content.data, content.mimeType);
    case 'audio':
      return text(`[A sound was left out: ${content.mimeType}, ${sizeOf(content.data)} bytes.]`);
    case 'resource':
      return resourceBlock({ ...content.resource });
    case 'resource_link':
      return text([`[Link to ${content.uri}]`, content.name, content.description].filter(Boolean).join(' '));
    default:
      return text(`[A block of kind ${String((content as { type: unknown }).type)} was left out.]`);
  }
}

/** Whether a cut at this place would part a surrogate pair. */
const partsPair = (words: string, at: number): boolean => /[\uD800-\uDBFF]/.test(words.charAt(at - 1));

/** Keeps `maxChars` characters of text over all blocks and says how much there was. */
function cutTexts(blocks: readonly ResultBlock[], maxChars: number): ResultBlock[] {
  const total = blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  if (total <= maxChars) return [...blocks];
  let left = maxChars;
  const kept: ResultBlock[] = [];
  for (const block of blocks) {
    if (block.type !== 'text') {
      kept.push(block);
      continue;
    }
    const end = partsPair(block.text, left) ? left - 1 : left;
    const words = block.text.slice(0, Math.max(0, end));
    if (words !== '') kept.push(text(words));
    left -= block.text.length;
    if (left < 0) left = 0;
  }
  kept.push(text(`[The result was cut: ${total} characters, of which the first ${maxChars} are shown.]`));
  return kept;
}

function limitImages(blocks: readonly ResultBlock[]): ResultBlock[] {
  let images = 0;
  return blocks.map((block) => {
    if (block.type !== 'image') return block;
    images += 1;
    return images <= MAX_IMAGES ? block : text(`[An image was left out: there are more than ${MAX_IMAGES}.]`);
  });
}

/**
 * What the model is shown of a tool's result: blocks in order, text cut to `maxChars` characters,
 * images that it can see, and a note for everything else (field case D36).
 */
export function toolResultBlock(
  toolUseId: string,
  result: CallToolResult,
  limits: { readonly maxChars: number },
): ToolResultBlockParam {
  const raw: readonly Content[] = Array.isArray(result.content) ? result.content : [];
  const blocks = raw.map(blockOf).filter((block) => block.type !== 'text' || block.text !== '');
  if (blocks.length === 0) {
    const structured = result.structuredContent;
    blocks.push(text(structured === undefined ? '[The tool returned nothing.]' : JSON.stringify(structured)));
  }
  const content = cutTexts(limitImages(blocks), limits.maxChars);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content,
    ...(result.isError === true ? { is_error: true } : {}),
  };
}
