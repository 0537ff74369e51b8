import type { GeneratedAlways } from 'kysely';

/** Tables as kysely sees them. Whole records are JSON text; columns beside it are what queries look at. */
export interface Tables {
  readonly connectors: { id: string; created_at_ms: number; data: string };
  readonly conversations: { id: string; created_at_ms: number; data: string };
  readonly items: {
    conversation_id: string;
    id: string;
    /** Grows within a conversation, in the order of first writing. */
    position: number;
    /** 1 while work on the item goes on. */
    unfinished: number;
    data: string;
  };
  readonly history: { conversation_id: string; position: number; data: string };
  readonly artifacts: { id: string };
  readonly artifact_versions: {
    artifact_id: string;
    version: number;
    created_at_ms: number;
    data: string;
    /** UTF-8: a page may hold characters that text columns do not take. */
    page: Uint8Array;
  };
  readonly consents: { artifact_id: string; server: string; data: string };
  readonly sessions: { token_hash: string; created_at_ms: number; last_seen_at_ms: number };
  readonly events: { seq: GeneratedAlways<number>; at_ms: number; data: string };
  readonly settings: { key: string; value: string };
  readonly grants: { connector_id: string; name: string; sealed: string };
  readonly leases: { name: string; owner: string; ends_at_ms: number };
  readonly sign_ins: { id: string; connector_id: string; started_at_ms: number; data: string };
}

/** One step from schema number `to - 1` to `to`. Steps that were released never change. */
export interface Migration {
  readonly to: number;
  readonly statements: readonly string[];
}

export const SQLITE_MIGRATIONS: readonly Migration[] = [
  {
    to: 1,
    statements: [
      `CREATE TABLE connectors (
        id TEXT PRIMARY KEY, created_at_ms INTEGER NOT NULL, data TEXT NOT NULL
      ) STRICT`,
      `CREATE TABLE conversations (
        id TEXT PRIMARY KEY, created_at_ms INTEGER NOT NULL, data TEXT NOT NULL
      ) STRICT`,
      `CREATE TABLE items (
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        position INTEGER NOT NULL,
        unfinished INTEGER NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (conversation_id, id),
        UNIQUE (conversation_id, position)
      ) STRICT`,
      'CREATE INDEX items_unfinished ON items (conversation_id, position) WHERE unfinished = 1',
      `CREATE TABLE history (
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (conversation_id, position)
      ) STRICT`,
      'CREATE TABLE artifacts (id TEXT PRIMARY KEY) STRICT',
      `CREATE TABLE artifact_versions (
        artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        created_at_ms INTEGER NOT NULL,
        data TEXT NOT NULL,
        page BLOB NOT NULL,
        PRIMARY KEY (artifact_id, version)
      ) STRICT`,
      `CREATE TABLE consents (
        artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
        server TEXT NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (artifact_id, server)
      ) STRICT`,
      `CREATE TABLE sessions (
        token_hash TEXT PRIMARY KEY, created_at_ms INTEGER NOT NULL, last_seen_at_ms INTEGER NOT NULL
      ) STRICT`,
      // AUTOINCREMENT: numbers of forgotten events are never given again.
      `CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, data TEXT NOT NULL
      ) STRICT`,
      'CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
    ],
  },
  {
    to: 2,
    statements: [
      `CREATE TABLE grants (
        connector_id TEXT NOT NULL REFERENCES connectors (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        sealed TEXT NOT NULL,
        PRIMARY KEY (connector_id, name)
      ) STRICT`,
      `CREATE TABLE sign_ins (
        id TEXT PRIMARY KEY,
        connector_id TEXT NOT NULL REFERENCES connectors (id) ON DELETE CASCADE,
        started_at_ms INTEGER NOT NULL,
        data TEXT NOT NULL
      ) STRICT`,
      'CREATE INDEX sign_ins_of_connector ON sign_ins (connector_id, started_at_ms)',
    ],
  },
  {
    to: 3,
    statements: [
      'CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, ends_at_ms INTEGER NOT NULL) STRICT',
    ],
  },
];
