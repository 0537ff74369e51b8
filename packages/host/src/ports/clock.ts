export type { Clock, Timer } from '@portico/rpc';
