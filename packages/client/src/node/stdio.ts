export { DEFAULT_INHERITED_ENV_VARS, getDefaultEnvironment } from './default-environment.ts';
export type { StdioServerParameters } from './spawn-plan.ts';
export { StdioClientTransport } from './stdio-transport.ts';
export type { StdioClientTransportOptions } from './stdio-transport.ts';
export type { StopWaits } from './stop-plan.ts';
