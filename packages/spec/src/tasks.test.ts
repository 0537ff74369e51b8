import { describe, expect, it } from 'vitest';
import { codecFor } from './codecs.ts';
import {
  isDetailedTask,
  isTaskHandleResult,
  isTaskRequestParams,
  isUpdateTaskRequestParams,
} from './task-guards.ts';

const state = {
  taskId: 'a1',
  createdAt: '2026-07-28T10:00:00Z',
  lastUpdatedAt: '2026-07-28T10:00:01Z',
  ttlMs: null,
};
const handle = { ...state, resultType: 'task', status: 'working', pollIntervalMs: 5 };
const question = { method: 'roots/list' };

describe('the states of a task', () => {
  it.each([
    [{ ...state, status: 'working' }],
    [{ ...state, status: 'working', ttlMs: 1, pollIntervalMs: 0, statusMessage: 'half' }],
    [{ ...state, status: 'cancelled' }],
    [{ ...state, status: 'input_required', inputRequests: { q: question } }],
    [{ ...state, status: 'completed', result: { content: [], isError: true } }],
    [{ ...state, status: 'failed', error: { code: -32603, message: 'broke' } }],
  ])('are taken with what belongs to them: %j', (value) => {
    expect(isDetailedTask(value)).toBe(true);
  });

  it.each([
    [{ ...state, status: 'done' }],
    [{ ...state, taskId: '', status: 'working' }],
    [{ ...state, taskId: 7, status: 'working' }],
    [{ ...state, ttlMs: undefined, status: 'working' }],
    [{ ...state, ttlMs: -1, status: 'working' }],
    [{ ...state, pollIntervalMs: 'soon', status: 'working' }],
    [{ ...state, createdAt: 1, status: 'working' }],
    [{ ...state, status: 'input_required' }],
    [{ ...state, status: 'input_required', inputRequests: { q: { method: 'tools/list' } } }],
    [{ ...state, status: 'completed' }],
    [{ ...state, status: 'failed', error: { code: 'x', message: 'broke' } }],
  ])('are refused without it: %j', (value) => {
    expect(isDetailedTask(value)).toBe(false);
  });

  it('name their task in every request about them', () => {
    expect(isTaskRequestParams({ taskId: 'a' })).toBe(true);
    expect(isTaskRequestParams({})).toBe(false);
    expect(isUpdateTaskRequestParams({ taskId: 'a', inputResponses: {} })).toBe(true);
    expect(isUpdateTaskRequestParams({ taskId: 'a' })).toBe(false);
  });
});

describe('a task handle', () => {
  it('is read as one for a tool call, and for nothing else', () => {
    const codec = codecFor('2026-07-28');
    expect(isTaskHandleResult(handle)).toBe(true);
    expect(codec?.decodeResult('tools/call', handle)).toEqual({ kind: 'task', result: handle });
    for (const method of ['prompts/get', 'tasks/get', 'com.example/x']) {
      expect(codec?.decodeResult(method, handle)).toEqual({ kind: 'invalid', resultType: 'task' });
    }
    const broken = { ...handle, taskId: 1 };
    expect(codec?.decodeResult('tools/call', broken)).toEqual({ kind: 'invalid', resultType: 'task' });
  });
});
