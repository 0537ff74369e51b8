import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { randomBytes } from 'node:crypto';
import type { Tables } from './schema.ts';

/**
 * Runs work in one transaction, or, where one is open already, in a savepoint of it: either way its
 * writes land together or not at all.
 */
export async function withinOne<T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return await db.transaction().execute(work);
  const name = sql.id(`s${randomBytes(8).toString('hex')}`);
  await sql`SAVEPOINT ${name}`.execute(db);
  try {
    const result = await work(db);
    await sql`RELEASE SAVEPOINT ${name}`.execute(db);
    return result;
  } catch (error) {
    await sql`ROLLBACK TO SAVEPOINT ${name}`.execute(db);
    await sql`RELEASE SAVEPOINT ${name}`.execute(db);
    throw error;
  }
}
