export { ApiRefusal } from './api-refusal.ts';
export { createHost } from './create-host.ts';
export type { Host, HostOptions, HostStatus, Log } from './host-options.ts';
