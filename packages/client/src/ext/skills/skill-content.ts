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

/** The file that was asked for, of all that an answer holds. @throws SdkError `INVALID_RESULT` */
export function contentOf({ contents }: ReadResourceResult, uri: string): SkillContent {
  const key = uriKey(uri);
  const content = contents.find((each) => each.uri === uri || uriKey(each.uri) === key);
  if (content === undefined) throw invalid(uri, 'holds nothing about it');
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
