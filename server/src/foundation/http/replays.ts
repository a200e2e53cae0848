import type { Clock } from '../clock.ts';
import { createStatements, type Database, type Sql, type Tx } from '../database/index.ts';

interface ReplayTables {
  replay: {
    key: string;
    /** Digest of the request; null in rows from before it was stored. */
    request: string | null;
    /** Process that runs the request, or ran it. */
    owner: string | null;
    /**
     * 1 as soon as something is committed under the key, 0 before; null in claims of servers that don't
     * record it.
     */
    changed: number | null;
    /** Null while the request is running. */
    reply: string | null;
    created_at: number;
  };
}

/** State of a key: the process that runs its request, and the reply once there is one. */
export type Replay = ReplayTables['replay'];

const statements = createStatements();

export async function findReplay(sql: Sql, key: string): Promise<Replay | undefined> {
  const [row] = await statements.rows(sql, 'find', { key }, (value) =>
    sql.on<ReplayTables>().selectFrom('replay').selectAll().where('key', '=', value.key),
  );
  return row;
}

/**
 * Claims a key: a new one, or an `abandoned` one under which nothing was changed. False if another call holds
 * it. On PostgreSQL this waits for a transaction that claims the same key, and holds it until this one ends.
 */
export async function claimKey(
  tx: Tx,
  key: string,
  claim: Pick<Replay, 'request' | 'owner' | 'created_at'>,
  abandoned: Replay | undefined,
): Promise<boolean> {
  const values = { key, ...claim, earlier: abandoned?.owner ?? null };
  const claims = await statements.change(tx, 'claim', values, ({ key: itsKey, earlier, ...theirs }) => {
    const claimed = { ...theirs, changed: 0 };
    return tx
      .on<ReplayTables>()
      .insertInto('replay')
      .values({ key: itsKey, reply: null, ...claimed })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet(claimed)
          .where('replay.reply', 'is', null)
          .where('replay.changed', '=', 0)
          .where('replay.owner', '=', earlier),
      );
  });
  return claims > 0;
}

/** Records a change under the key. Returns false if the key has another owner now. */
export async function noteChange(tx: Tx, key: string, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .on<ReplayTables>()
    .updateTable('replay')
    .set({ changed: 1 })
    .where('key', '=', key)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function keepReply(tx: Tx, key: string, owner: string, reply: unknown): Promise<void> {
  const values = { key, owner, reply: JSON.stringify(reply) ?? 'null' };
  await statements.change(tx, 'keep', values, (value) =>
    tx
      .on<ReplayTables>()
      .updateTable('replay')
      .set({ reply: value.reply })
      .where('key', '=', value.key)
      .where('owner', '=', value.owner),
  );
}

/** Releases a key, so that its request may be run again. */
export async function freeKey(
  tx: Tx,
  key: string,
  owner: string,
  { onlyUnchanged }: { onlyUnchanged: boolean },
): Promise<void> {
  const claim = tx.on<ReplayTables>().deleteFrom('replay').where('key', '=', key).where('owner', '=', owner);
  await (onlyUnchanged ? claim.where('changed', '=', 0) : claim).execute();
}

const KEPT_MS = 24 * 3600 * 1000;

/** Deletes replies that are too old to be retried, and claims of killed processes. */
export async function forgetReplays(database: Database, clock: Clock): Promise<void> {
  await database.transaction((tx) =>
    tx
      .on<ReplayTables>()
      .deleteFrom('replay')
      .where('created_at', '<', clock.now() - KEPT_MS)
      .execute(),
  );
}
