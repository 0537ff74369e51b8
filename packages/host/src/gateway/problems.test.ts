import { InsufficientScopeError } from '@portico/oauth';
import { describe, expect, it } from 'vitest';
import { describeProblem } from './problems.ts';

const failure = (code: string, data: object, cause?: unknown) =>
  Object.assign(new Error(code), { code, data, cause });

describe('describeProblem', () => {
  it.each([
    ['a command that is not there', failure('STDIO_COMMAND_NOT_FOUND', {}), 'not found'],
    ['a child that ends', failure('STDIO_EXITED', { exitCode: 3, signal: null }), 'exit code 3'],
    ['a child that is killed', failure('STDIO_EXITED', { exitCode: null, signal: 'SIGKILL' }), 'SIGKILL'],
    ['a missing endpoint', failure('CLIENT_HTTP_NOT_IMPLEMENTED', { status: 404 }), '404'],
    ['a failing server', failure('CLIENT_HTTP_NOT_IMPLEMENTED', { status: 503 }), '503'],
    [
      'a move to another place',
      failure('CLIENT_HTTP_NOT_IMPLEMENTED', {
        status: 308,
        location: 'https://u:p@new.example/mcp?token=x',
      }),
      'HTTP 308): https://new.example/mcp.',
    ],
    [
      'a move to nowhere',
      failure('CLIENT_HTTP_NOT_IMPLEMENTED', { status: 302, location: '/' }),
      '(HTTP 302).',
    ],
    ['a sign-in', failure('CLIENT_HTTP_AUTHENTICATION', { status: 401 }), '401'],
    ['another protocol', failure('CLIENT_HTTP_UNEXPECTED_CONTENT', {}), 'not with MCP'],
    ['a slow server', failure('REQUEST_TIMEOUT', {}), 'in time'],
    ['a cause further down', failure('not_ready', {}, failure('STDIO_NOT_EXECUTABLE', {})), 'not ready'],
    [
      'a connection that closed over a message',
      failure('CONNECTION_CLOSED', {}, failure('MESSAGE_TOO_LARGE', {})),
      'size limit',
    ],
    ['a connection that closed', failure('CONNECTION_CLOSED', {}), 'closed the connection'],
    ['a code that every object has', failure('toString', {}), 'toString'],
    ['something unknown', new Error('strange'), 'strange'],
    ['nothing at all', undefined, 'no reason'],
  ])('says what %s means and what to do', (_case, error, part) => {
    const problem = describeProblem(error);
    expect(problem.message).toContain(part);
    expect(problem.remedy.length).toBeGreaterThan(10);
  });

  it('tells name, connection and encryption apart', () => {
    const remedies = ['address', 'tcp', 'tls'].map(
      (step) => describeProblem(failure('CLIENT_HTTP_NETWORK', { step })).remedy,
    );
    expect(new Set(remedies).size).toBe(3);
  });

  it('reads the facts of a connection state, which stand beside the code', () => {
    const problem = describeProblem(
      { code: 'STDIO_EXITED', message: 'ended', step: 'process', exitCode: 7 },
      ['last words'],
    );
    expect(problem).toMatchObject({ code: 'STDIO_EXITED', stderrTail: ['last words'] });
    expect(problem.message).toContain('exit code 7');
  });

  it('tells a server that wants more from one that wants a sign-in at all', () => {
    expect(describeProblem(new InsufficientScopeError({ requiredScope: 'write' })).kind).toBe('moreScopes');
    expect(describeProblem(new InsufficientScopeError()).kind).toBe('signIn');
  });

  it('survives a chain of causes without end', () => {
    const loop = failure('a', {});
    loop.cause = loop;
    expect(describeProblem(loop).code).toBe('a');
  });
});
