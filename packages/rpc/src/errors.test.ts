import { describe, expect, it } from 'vitest';
import { ProtocolError, RPC_ERRORS, RpcError, isProtocolError, isRpcError } from './errors.ts';

describe('errors', () => {
  it('carry code, data, cause and the message of the table', () => {
    const cause = new TypeError('inner');
    const error = new RpcError('too_deep', { limit: 3 }, { cause });
    expect(error).toMatchObject({ name: 'RpcError', code: 'too_deep', data: { limit: 3 }, cause });
    expect(error.message).toBe(RPC_ERRORS.too_deep);
    expect(new RpcError('aborted', { method: 'm' }, { message: 'mine' }).message).toBe('mine');
    expect('cause' in new RpcError('parse_error', undefined)).toBe(false);
  });

  it('are told apart by name and code, so that another copy of the package fits', () => {
    const copy = Object.assign(new TypeError('x'), { name: 'RpcError', code: 'aborted' });
    expect(isRpcError(copy)).toBe(true);
    expect(isRpcError(Object.assign(new TypeError('x'), { name: 'RpcError', code: 'toString' }))).toBe(false);
    expect(isRpcError({ name: 'RpcError', code: 'aborted' })).toBe(false);
    expect(isProtocolError(Object.assign(new TypeError('x'), { name: 'ProtocolError', code: 3 }))).toBe(true);
    expect(isProtocolError(Object.assign(new TypeError('x'), { code: 3 }))).toBe(false);
    expect(isProtocolError(new ProtocolError(-1, 'x'))).toBe(true);
  });
});
