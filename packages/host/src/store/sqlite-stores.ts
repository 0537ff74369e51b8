import { Kysely } from 'kysely';
import type { Clock } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';
import { createArtifactStore } from './artifact-store.ts';
import { createConnectorStore } from './connector-store.ts';
import { createConsentStore } from './consent-store.ts';
import { createConversationStore } from './conversation-store.ts';
import { createEventStore } from './event-store.ts';
import { createGrantStore } from './grant-store.ts';
import { createHistoryStore } from './history-store.ts';
import { createLeaseStore } from './lease-store.ts';
import { migrate } from './migrate.ts';
import { SQLITE_MIGRATIONS } from './schema.ts';
import type { Tables } from './schema.ts';
import { createSessionStore } from './session-store.ts';
import { createSettingStore } from './setting-store.ts';
import { createSignInStore } from './sign-in-store.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { openSqlite } from './sqlite-driver.ts';
import { withinOne } from './within-one.ts';

export interface SqliteStoresOptions {
  /** Database file; created when it is not there. Its rights are those of the file that is there. */
  readonly path: string;
  readonly clock: Clock;
}

/**
 * All stores on one SQLite file, brought to the newest schema first. Several programs may have the
 * file open; writers wait for each other up to 5 s without blocking the event loop.
 *
 * Throws HostError `database_corrupt`, `database_newer`, `database_unusable` or `database_busy`.
 */
export async function openSqliteStores(options: SqliteStoresOptions): Promise<Stores> {
  const connection = await openSqlite(options);
  try {
    await migrate(connection, SQLITE_MIGRATIONS, options.path);
  } catch (error) {
    connection.close();
    throw error;
  }
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(connection) });
  return createStores(db, options.clock, () =>
    // Taking the connection first lets work that has begun finish.
    db.connection().execute(async () => connection.close()),
  );
}

function createStores(db: Kysely<Tables>, clock: Clock, close: () => Promise<void>): Stores {
  return {
    connectors: createConnectorStore(db),
    conversations: createConversationStore(db),
    history: createHistoryStore(db),
    artifacts: createArtifactStore(db),
    consents: createConsentStore(db),
    sessions: createSessionStore(db),
    events: createEventStore(db),
    settings: createSettingStore(db),
    grants: createGrantStore(db),
    signIns: createSignInStore(db),
    leases: createLeaseStore(db, clock),
    // Closing is for the outermost only: inside a transaction it would cut the transaction off.
    transaction: (work) => withinOne(db, (one) => work(createStores(one, clock, async () => {}))),
    close,
  };
}
