import { SdkError } from '../errors.ts';

/**
 * Reads a body as text within a bound.
 *
 * @param maxBytes bytes of the body; reading stops as soon as there are more
 * @throws SdkError `MESSAGE_TOO_LARGE`, `INVALID_MESSAGE` when the bytes are no UTF-8
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      total += value.byteLength;
      if (total > maxBytes) {
        throw new SdkError('MESSAGE_TOO_LARGE', { data: { limitBytes: maxBytes } });
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    // Not awaited: a source that hangs while it is cancelled must not hold the caller up.
    void reader.cancel().catch(() => undefined);
    if (error instanceof TypeError && total > 0 && 'code' in error) {
      throw new SdkError('INVALID_MESSAGE', { message: 'the answer is no UTF-8 text', cause: error });
    }
    throw error;
  }
}

/** The type part of a content type, in lower case. */
export function mediaType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
