export { createFileRoot } from './file-root.ts';
export type { FileRoot } from './file-root.ts';
export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
} from './host-validation.ts';
export { mcpAuthMetadataRouter, requireBearerAuth } from './node-auth.ts';
export type { NodeAuthGuard } from './node-auth.ts';
export type { NodeRequestGuard } from './host-validation.ts';
export type { NodeIncomingMessageLike, NodeServerResponseLike } from './node-message.ts';
export { toNodeHandler } from './to-node-handler.ts';
export type { FetchLikeMcpHandler, NodeMcpRequestHandler, ToNodeHandlerOptions } from './to-node-handler.ts';
export { toWebRequest } from './to-web-request.ts';
export type { ToWebRequestOptions } from './to-web-request.ts';
export { NodeStreamableHTTPServerTransport } from './streamable-http-transport.ts';
export type { StreamableHTTPServerTransportOptions } from './streamable-http-transport.ts';
