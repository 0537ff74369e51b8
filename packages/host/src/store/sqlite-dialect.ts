import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { HostError } from '../errors.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

/**
 * Kysely over one SqliteConnection. Its own SqliteDialect calls the database synchronously, which
 * leaves no room for waiting on a busy file without blocking; this one awaits.
 */
export function createSqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver(connection: SqliteConnection): Driver {
  const queue = createQueue();
  const lent = new Map<DatabaseConnection, Lease>();
  return {
    async init() {},
    async acquireConnection() {
      const release = await queue.enter();
      const lease = lend(connection, release);
      lent.set(lease.connection, lease);
      return lease.connection;
    },
    beginTransaction: () => connection.begin(),
    commitTransaction: () => connection.commit(),
    rollbackTransaction: () => connection.rollback(),
    async releaseConnection(lease) {
      lent.get(lease)?.end();
      lent.delete(lease);
    },
    // The connection belongs to whoever opened it.
    async destroy() {},
  };
}

interface Lease {
  readonly connection: DatabaseConnection;
  end(): void;
}

/** The connection for one user at a time; whoever keeps it beyond that cannot write into other work. */
function lend(connection: SqliteConnection, release: () => void): Lease {
  let over = false;
  return {
    connection: {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        if (over) throw new HostError('database_closed', { message: 'this transaction is over' });
        const result = await connection.run(query.sql, query.parameters);
        return { rows: result.rows as R[], numAffectedRows: BigInt(result.changes) };
      },
      streamQuery() {
        throw new HostError('database_failed', { message: 'streaming queries are not supported' });
      },
    },
    end() {
      over = true;
      release();
    },
  };
}

interface Queue {
  /** Waits for one's turn, first come first served, and answers what ends it. */
  enter(): Promise<() => void>;
}

function createQueue(): Queue {
  let tail: Promise<void> = Promise.resolve();
  return {
    async enter() {
      const turn = tail;
      let leave = (): void => {};
      tail = new Promise((resolve) => {
        leave = resolve;
      });
      await turn;
      return leave;
    },
  };
}
