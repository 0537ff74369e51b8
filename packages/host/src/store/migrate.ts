import { HostError } from '../errors.ts';
import type { Migration } from './schema.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

/**
 * Brings a database to the newest schema, one transaction a step; its number is kept in `user_version`.
 * Two programs that do this at once take turns, and the second finds nothing left to do.
 *
 * Throws HostError `database_newer` for a schema that this version does not know and
 * `database_unusable` for a database of some other program; both change nothing.
 */
export async function migrate(
  connection: SqliteConnection,
  migrations: readonly Migration[],
  path: string,
): Promise<void> {
  const newest = migrations.at(-1)?.to ?? 0;
  const found = await schemaNumber(connection);
  if (found > newest) throw newer(path, found, newest);
  if (found === newest) return;
  if (found === 0) await refuseForeign(connection, path);
  for (const migration of migrations) await step(connection, migration);
}

async function step(connection: SqliteConnection, migration: Migration): Promise<void> {
  await connection.begin();
  try {
    // Looked at again under the lock: another program may have done this step meanwhile.
    if ((await schemaNumber(connection)) === migration.to - 1) {
      for (const statement of migration.statements) await connection.run(statement);
      await connection.run(`PRAGMA user_version = ${migration.to}`);
    }
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  }
}

async function schemaNumber(connection: SqliteConnection): Promise<number> {
  const { rows } = await connection.run('PRAGMA user_version');
  return Number(rows[0]?.['user_version'] ?? 0);
}

async function refuseForeign(connection: SqliteConnection, path: string): Promise<void> {
  const { rows } = await connection.run('SELECT name FROM sqlite_schema LIMIT 1');
  // A step of another start may be finished between the two looks; then the number tells.
  if (rows.length === 0 || (await schemaNumber(connection)) > 0) return;
  throw new HostError('database_unusable', {
    message: `the database ${path} belongs to another program`,
    data: { path, remedy: 'choose another data folder, or move the file away' },
  });
}

function newer(path: string, found: number, known: number): HostError {
  return new HostError('database_newer', {
    message: `the database ${path} has schema ${found}, and this version of portico knows schemas up to ${known}`,
    data: {
      path,
      found,
      known,
      remedy: 'install the version that wrote it or a later one, or start with another data folder',
    },
  });
}
