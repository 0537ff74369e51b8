import { describe, expect, it } from 'vitest';
import {
  isJSONRPCErrorResponse,
  isJSONRPCMessage,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  isRequestId,
} from './message.ts';

const request = { jsonrpc: '2.0', id: 1, method: 'a' };
const error = { code: -1, message: 'no' };

describe('message guards', () => {
  it.each([
    [request, isJSONRPCRequest],
    [{ ...request, id: 0 }, isJSONRPCRequest],
    [{ ...request, id: '' }, isJSONRPCRequest],
    [{ ...request, id: '007' }, isJSONRPCRequest],
    [{ ...request, id: Number.MAX_SAFE_INTEGER }, isJSONRPCRequest],
    [{ ...request, params: {} }, isJSONRPCRequest],
    [{ ...request, vendor: true }, isJSONRPCRequest],
    [{ jsonrpc: '2.0', method: 'a' }, isJSONRPCNotification],
    [{ jsonrpc: '2.0', method: 'a', params: { x: [1] } }, isJSONRPCNotification],
    [{ jsonrpc: '2.0', id: 1, result: {} }, isJSONRPCResultResponse],
    [{ jsonrpc: '2.0', id: 1, result: null }, isJSONRPCResultResponse],
    [{ jsonrpc: '2.0', id: 1, error }, isJSONRPCErrorResponse],
    [{ jsonrpc: '2.0', error }, isJSONRPCErrorResponse],
    [{ jsonrpc: '2.0', id: null, error }, isJSONRPCErrorResponse],
  ])('takes %j for exactly one form', (value, guard) => {
    const guards = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse];
    expect(guards.filter((candidate) => candidate(value))).toEqual([guard]);
    expect(isJSONRPCMessage(value)).toBe(true);
  });

  it.each([
    [null],
    [7],
    ['text'],
    [[]],
    [[request]],
    [{}],
    [{ ...request, jsonrpc: '1.0' }],
    [{ id: 1, method: 'a' }],
    [{ ...request, id: null }],
    [{ ...request, id: 1.5 }],
    [{ ...request, id: true }],
    [{ ...request, id: [] }],
    [{ ...request, id: {} }],
    [{ ...request, id: Number.POSITIVE_INFINITY }],
    [{ ...request, method: 1 }],
    [{ ...request, params: [] }],
    [{ ...request, params: 'x' }],
    [{ ...request, params: null }],
    [{ ...request, result: {} }],
    [{ ...request, error }],
    [{ jsonrpc: '2.0', id: 1 }],
    [{ jsonrpc: '2.0', id: 1, result: {}, error }],
    [{ jsonrpc: '2.0', result: {} }],
    [{ jsonrpc: '2.0', id: null, result: {} }],
    [{ jsonrpc: '2.0', id: 1, error: 'no' }],
    [{ jsonrpc: '2.0', id: 1, error: { code: 1.5, message: 'no' } }],
    [{ jsonrpc: '2.0', id: 1, error: { code: 1 } }],
    [{ jsonrpc: '2.0', id: {}, error }],
  ])('refuses %j', (value) => {
    expect(isJSONRPCMessage(value)).toBe(false);
  });

  it('takes text and whole numbers for ids, nothing else', () => {
    expect([0, -1, '', 'x', 2 ** 53 - 1].every(isRequestId)).toBe(true);
    expect([null, undefined, 0.5, Number.NaN, true, {}, []].some(isRequestId)).toBe(false);
  });
});
