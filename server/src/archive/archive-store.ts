import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { ArchiveTables } from './archive-tables.ts';
import type { Selection, Ticket } from './archive.ts';

export function createArchiveStore() {
  return {
    async insert(tx: Tx, { id, account, share, selection, expiresAt }: Ticket): Promise<void> {
      await tx
        .on<ArchiveTables>()
        .insertInto('archive_ticket')
        .values({
          id,
          account,
          share: share?.id ?? null,
          passcode_version: share?.passcodeVersion ?? 0,
          selection: JSON.stringify(selection),
          expires_at: expiresAt,
        })
        .execute();
    },

    async find(sql: Sql, id: string): Promise<Ticket | undefined> {
      const row = await sql
        .on<ArchiveTables>()
        .selectFrom('archive_ticket')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return (
        row && {
          id: row.id,
          account: row.account,
          share: row.share === null ? undefined : { id: row.share, passcodeVersion: row.passcode_version },
          selection: JSON.parse(row.selection) as Selection,
          expiresAt: row.expires_at,
        }
      );
    },

    async removeExpired(tx: Tx, now: number): Promise<void> {
      await tx.on<ArchiveTables>().deleteFrom('archive_ticket').where('expires_at', '<=', now).execute();
    },

    /** Deletes the account's download links for archives, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<ArchiveTables>(database, ['archive_ticket'], account, signal),
  };
}

export type ArchiveStore = ReturnType<typeof createArchiveStore>;
