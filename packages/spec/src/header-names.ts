/** Both eras: the revision the message is written in. */
export const PROTOCOL_VERSION_HEADER = 'MCP-Protocol-Version';

/** Modern requests: the body's method. */
export const METHOD_HEADER = 'Mcp-Method';

/** Modern requests: what the method acts on, see the method table. */
export const NAME_HEADER = 'Mcp-Name';

/** Modern tool calls: start of the header that repeats one marked argument. */
export const PARAM_HEADER_PREFIX = 'Mcp-Param-';

/** Legacy sessions. */
export const SESSION_ID_HEADER = 'MCP-Session-Id';

/** Legacy: resume a stream after this event. */
export const LAST_EVENT_ID_HEADER = 'Last-Event-ID';
