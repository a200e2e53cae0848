import type { Database } from '../src/foundation/database/index.ts';

interface Columns {
  readonly email?: string;
  readonly email_key?: string;
  readonly phone?: string;
  readonly picture?: string;
}

/** What an account has come to have by ways that a test need not walk. */
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
