import type { ToolResult } from '@portico/api';
import type { CallToolResult } from '@portico/spec';

/** Largest result that is stored with a message, in UTF-16 units of JSON (8 MiB). */
const MAX_RESULT_SIZE = 8 * 1_048_576;

/**
 * The result as it is stored and shown: whole where it fits; otherwise the blocks that fit, with a
 * note of what was left out, so that one large answer never breaks a conversation (K78).
 */
export function boundedResult(result: CallToolResult, maxSize: number = MAX_RESULT_SIZE): ToolResult {
  const whole = plainResult(result);
  const size = JSON.stringify(whole).length;
  if (size <= maxSize) return whole;
  const kept: ToolResult['content'] = [];
  let room = maxSize - 1000;
  let left = 0;
  for (const block of whole.content) {
    const fitting = fit(block, room);
    if (fitting === undefined) left++;
    else {
      kept.push(fitting);
      room -= JSON.stringify(fitting).length;
      if (fitting !== block) left++;
    }
  }
  const structuredFits =
    whole.structuredContent !== undefined && JSON.stringify(whole.structuredContent).length <= room;
  const note = `[The result is larger than ${mebibytes(maxSize)} MiB (${mebibytes(size)} MiB): ${left} of ${whole.content.length} parts were cut or left out.]`;
  return {
    content: [...kept, { type: 'text', text: note }],
    ...(structuredFits ? { structuredContent: whole.structuredContent } : {}),
    ...(whole.isError === undefined ? {} : { isError: whole.isError }),
  };
}

function plainResult(result: CallToolResult): ToolResult {
  const { content, structuredContent, isError, _meta } = result;
  return {
    content: content.map((block) => ({ ...block })),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
    ...(_meta === undefined ? {} : { _meta: { ..._meta } }),
  };
}

/** The block, its beginning where it is text, or nothing. */
function fit(block: ToolResult['content'][number], room: number): ToolResult['content'][number] | undefined {
  if (JSON.stringify(block).length <= room) return block;
  const { text } = block;
  if (block.type !== 'text' || typeof text !== 'string' || room < 1000) return undefined;
  // Escapes can make JSON up to six times as long as the text.
  let cut = text.slice(0, room);
  while (JSON.stringify(cut).length > room - 100) cut = cut.slice(0, Math.floor(cut.length / 2));
  return { ...block, text: cut };
}

function mebibytes(size: number): string {
  return (size / 1_048_576).toFixed(1).replace(/\.0$/, '');
}
