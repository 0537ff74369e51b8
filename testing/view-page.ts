// What browser tests load into a view: the view side that real MCP Apps use.
export { App } from '@modelcontextprotocol/ext-apps';
