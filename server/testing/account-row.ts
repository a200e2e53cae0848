import type { Database } from '../src/foundation/database/index.ts';

interface Columns {
  readonly email?: string;
  readonly email_key?: string;
  readonly phone?: string;
  readonly picture?: string;
}

/** Sets columns of an account directly, without the requests that would normally change them. */
export async function writeAccount(database: Database, id: string, columns: Columns): Promise<void> {
  await database.transaction((tx) =>
    tx
      .on<{ account: { id: string } & Columns }>()
      .updateTable('account')
      .set(columns)
      .where('id', '=', id)
      .execute(),
  );
}
