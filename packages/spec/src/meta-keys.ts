/** Modern requests: the revision this request is written in. Required. */
export const PROTOCOL_VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Modern requests: what the client can do. Required. */
export const CLIENT_CAPABILITIES_META_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** Modern requests: who the client is. */
export const CLIENT_INFO_META_KEY = 'io.modelcontextprotocol/clientInfo';

/** Modern requests: least severe log level that this request wants to hear of. */
export const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';

/** Modern results: who the server is. */
export const SERVER_INFO_META_KEY = 'io.modelcontextprotocol/serverInfo';

/** Everything on a listen stream: the id of the listen request. */
export const SUBSCRIPTION_ID_META_KEY = 'io.modelcontextprotocol/subscriptionId';

/** Revision 2025-11-25: the task that a message belongs to. */
export const RELATED_TASK_META_KEY = 'io.modelcontextprotocol/related-task';

/** W3C trace context. */
export const TRACEPARENT_META_KEY = 'traceparent';

/** W3C trace context. */
export const TRACESTATE_META_KEY = 'tracestate';

/** W3C baggage. */
export const BAGGAGE_META_KEY = 'baggage';

/** `prefix/` of labels, then a name; see the specification's overview page on `_meta`. */
const META_KEY =
  /^(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;

/** Whether the key follows the grammar of `_meta` keys. */
export function isMetaKey(key: string): boolean {
  return key.length <= 1024 && META_KEY.test(key);
}

/** Whether the key's prefix belongs to MCP itself: its second label is `mcp` or `modelcontextprotocol`. */
export function isReservedMetaKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return false;
  const second = key.slice(0, slash).split('.')[1];
  return second === 'mcp' || second === 'modelcontextprotocol';
}
