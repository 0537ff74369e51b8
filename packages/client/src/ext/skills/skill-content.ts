import type { ReadResourceResult } from '@portico/spec';
import { base64Bytes, losslessText, uriKey, utf8Bytes } from '@portico/spec/skills';
import { SdkError } from '../../errors.ts';

/** One file as it arrived. */
export interface SkillContent {
  readonly bytes: Uint8Array;
  /** Whether the server sent it as text. */
  readonly text: string | undefined;
  readonly mimeType: string | undefined;
}

const invalid = (uri: string, what: string): SdkError =>
  new SdkError('INVALID_RESULT', { message: `the answer to reading ${uri} ${what}`, data: { uri } });

/** The one content of an answer. @throws SdkError `INVALID_RESULT` when it is not the file asked for */
export function contentOf({ contents }: ReadResourceResult, uri: string): SkillContent {
  const [content] = contents ?? [];
  if (content === undefined || contents.length > 1) throw invalid(uri, 'has not exactly one content');
  if (content.uri !== uri && (uriKey(content.uri) ?? '') !== uriKey(uri)) {
    throw invalid(uri, 'is about another URI');
  }
  const { mimeType } = content;
  if ('text' in content) return { bytes: utf8Bytes(content.text), text: content.text, mimeType };
  const bytes = base64Bytes(content.blob);
  if (bytes === undefined) throw invalid(uri, 'is no base64');
  return { bytes, text: undefined, mimeType };
}

/** The text of a file, however it was sent; undefined when it is none. */
export function textOf({ text, bytes }: SkillContent): string | undefined {
  return text ?? losslessText(bytes);
}
