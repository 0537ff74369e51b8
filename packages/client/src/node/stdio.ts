export type { ChildKeeper, KeptChild } from './child-keeper.ts';
export { DEFAULT_INHERITED_ENV_VARS, getDefaultEnvironment } from './default-environment.ts';
export { keepConnected } from './keep-connected.ts';
export type { KeptConnection, RestartPolicy } from './keep-connected.ts';
export type { StderrMode, StdioServerParameters } from './spawn-plan.ts';
export { StdioClientTransport } from './stdio-transport.ts';
export type { StdioClientTransportOptions } from './stdio-transport.ts';
export type { StopWaits } from './stop-plan.ts';
