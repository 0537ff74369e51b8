// @ts-check
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ErrorCode, ProtocolError } from '@portico/rpc';

const key = randomBytes(32);
/** @param {string} payload */
const seal = (payload) => createHmac('sha256', key).update(payload).digest();

/** Request state that only this process can make. */
export const requestStates = {
  /** @param {Readonly<Record<string, unknown>>} value */
  mint(value) {
    const payload = Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${payload}.${seal(payload).toString('base64url')}`;
  },
  /** @param {string} state @returns {unknown} */
  verify(state) {
    const [payload = '', signature = ''] = state.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = seal(payload);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new ProtocolError(ErrorCode.InvalidParams, 'This request state was not made here');
    }
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  },
};
