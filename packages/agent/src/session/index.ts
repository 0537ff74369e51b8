export { createMemorySessionStore } from './session-store.ts';
export type { SessionEntry, SessionStore, UserEntryOrigin } from './session-store.ts';
