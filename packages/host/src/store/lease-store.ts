import type { LeaseStore } from '@portico/oauth';
import type { Kysely } from 'kysely';
import type { Clock } from '../ports/clock.ts';
import type { Tables } from './schema.ts';

/** Leases among all programs that have the database open. */
export function createLeaseStore(db: Kysely<Tables>, clock: Clock): LeaseStore {
  return {
    async take({ name, owner, forMs }) {
      const nowMs = clock.now();
      const taken = await db
        .insertInto('leases')
        .values({ name, owner, ends_at_ms: nowMs + forMs })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, ends_at_ms: nowMs + forMs })
            .where((lease) =>
              lease.or([
                lease('leases.owner', '=', owner),
                lease('leases.ends_at_ms', '<=', nowMs),
                // By a clock that was set back.
                lease('leases.ends_at_ms', '>', nowMs + forMs),
              ]),
            ),
        )
        .returning('owner')
        .executeTakeFirst();
      return taken !== undefined;
    },
    async release(name, owner) {
      await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute();
    },
  };
}
