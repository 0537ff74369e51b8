import { describe, expect, it } from 'vitest';
import { SDK_ERRORS, SdkError, SdkErrorCode, SdkHttpError } from './sdk-errors.ts';

describe('SdkError', () => {
  it('takes the official arguments', () => {
    const cause = new TypeError('why');
    const error = new SdkError(SdkErrorCode.SendFailed, 'lost', { n: 1 }, { cause });
    expect(error).toMatchObject({ code: 'SEND_FAILED', message: 'lost', data: { n: 1 }, cause });
    expect(error.name).toBe('SdkError');
  });

  it('takes its message from the table, or one from its options', () => {
    expect(new SdkError('NOT_CONNECTED').message).toBe(SDK_ERRORS.NOT_CONNECTED);
    expect(new SdkError('NOT_CONNECTED', { message: 'no' }).message).toBe('no');
    expect('cause' in new SdkError('NOT_CONNECTED')).toBe(false);
  });

  it('names every code once and has a message for each', () => {
    const codes = Object.values(SdkErrorCode);
    expect(new Set(codes).size).toBe(codes.length);
    expect(Object.keys(SDK_ERRORS).sort()).toEqual([...codes].sort());
  });

  it('is told apart from HTTP answers, which it includes', () => {
    const http = new SdkHttpError('CLIENT_HTTP_FORBIDDEN', 'no', { status: 403, statusText: 'Forbidden' });
    expect(http).toBeInstanceOf(SdkError);
    expect(SdkHttpError.isInstance(new SdkError('NOT_CONNECTED'))).toBe(false);
    expect([http.status, http.statusText, http.message]).toEqual([403, 'Forbidden', 'no']);
    const brief = new SdkHttpError('CLIENT_HTTP_FORBIDDEN', { status: 403 });
    expect([brief.status, brief.statusText]).toEqual([403, undefined]);
  });
});
