import type { Client, ClientContext } from '@portico/client';
import type { RequestId } from '@portico/rpc';
import type { AuthInfo, McpServer, Server, ServerContext } from '@portico/server';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  LoggingLevel,
  RequestEnvelope,
  SendRequest,
} from '@portico/spec';
import { expectTypeOf, it } from 'vitest';

declare const mcp: McpServer;
declare const server: Server;
declare const client: Client;

it('W243 handlers of a server get its context, whatever they serve', () => {
  mcp.registerTool('t', {}, (context) => {
    expectTypeOf(context).toEqualTypeOf<ServerContext>();
    return { content: [] };
  });
  mcp.registerResource('r', 'x:r', {}, (_uri, context) => {
    expectTypeOf(context).toEqualTypeOf<ServerContext>();
    return { contents: [] };
  });
  mcp.registerPrompt('p', {}, (context) => {
    expectTypeOf(context).toEqualTypeOf<ServerContext>();
    return { messages: [] };
  });
  server.setRequestHandler('tools/list', (_request, context) => {
    expectTypeOf(context).toEqualTypeOf<ServerContext>();
    return { tools: [] };
  });
});

it('W243 the members of a server’s context', () => {
  type Request = ServerContext['mcpReq'];
  type Http = NonNullable<ServerContext['http']>;
  expectTypeOf<ServerContext['sessionId']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<ServerContext['http']>().extract<undefined>().toEqualTypeOf<undefined>();
  expectTypeOf<Request['id']>().toEqualTypeOf<RequestId>();
  expectTypeOf<Request['method']>().toEqualTypeOf<string>();
  expectTypeOf<Request['_meta']>().toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
  expectTypeOf<Request['signal']>().toEqualTypeOf<AbortSignal>();
  expectTypeOf<Request['send']>().toEqualTypeOf<SendRequest>();
  expectTypeOf<Request['notify']>().parameter(0).toExtend<{ readonly method: string }>();
  expectTypeOf<Request['notify']>().returns.resolves.toBeVoid();
  expectTypeOf<Request['log']>().parameter(0).toEqualTypeOf<LoggingLevel>();
  expectTypeOf<Request['log']>().parameter(2).toEqualTypeOf<string | undefined>();
  expectTypeOf<Request['elicitInput']>().parameter(0).toEqualTypeOf<ElicitRequestParams>();
  expectTypeOf<Request['elicitInput']>().returns.resolves.toEqualTypeOf<ElicitResult>();
  expectTypeOf<Request['requestSampling']>().parameter(0).toEqualTypeOf<CreateMessageRequestParams>();
  expectTypeOf<Request['requestSampling']>().returns.resolves.toEqualTypeOf<CreateMessageResult>();
  expectTypeOf<Request['envelope']>().toEqualTypeOf<RequestEnvelope | undefined>();
  expectTypeOf<Request['inputResponses']>().toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
  expectTypeOf<Request['requestState']>().returns.toBeUnknown();
  expectTypeOf<Http['req']>().toEqualTypeOf<Request_>();
  expectTypeOf<Http['authInfo']>().toEqualTypeOf<AuthInfo | undefined>();
  expectTypeOf<Http['closeSSE']>().toEqualTypeOf<(() => void) | undefined>();
  expectTypeOf<Http['closeStandaloneSSE']>().toEqualTypeOf<(() => void) | undefined>();
});

type Request_ = globalThis.Request;

it('W243 the members of a client’s context', () => {
  client.setRequestHandler('roots/list', (_request, context) => {
    expectTypeOf(context).toEqualTypeOf<ClientContext>();
    return { roots: [] };
  });
  type Request = ClientContext['mcpReq'];
  expectTypeOf<ClientContext['sessionId']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Request['id']>().toEqualTypeOf<RequestId>();
  expectTypeOf<Request['method']>().toEqualTypeOf<string>();
  expectTypeOf<Request['_meta']>().toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
  expectTypeOf<Request['signal']>().toEqualTypeOf<AbortSignal>();
  expectTypeOf<Request['notify']>().returns.resolves.toBeVoid();
  // @ts-expect-error only servers log
  void ({} as Request).log;
});
