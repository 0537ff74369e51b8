export { serveStdio } from './serve-stdio.ts';
export type { ServeStdioOptions, StdioServerHandle } from './serve-stdio.ts';
export { StdioServerTransport } from './stdio-transport.ts';
export type { StdioServerTransportOptions } from './stdio-transport.ts';
