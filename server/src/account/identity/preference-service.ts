import { PREFERENCES, type PreferenceName, type Preferences as Values } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import type { PreferenceStore } from './preference-store.ts';

export interface Preferences {
  /** Returns the member's choices, or the defaults; unknown names are left out. */
  read(account: string, names?: readonly string[]): Promise<Values>;
  change(account: string, values: Values): Promise<void>;
}

const NAMES = Object.keys(PREFERENCES) as PreferenceName[];

export function createPreferences({
  database,
  store,
}: {
  database: Database;
  store: PreferenceStore;
}): Preferences {
  return {
    async read(account, names = NAMES) {
      const chosen = await store.all(database, account);
      const values = NAMES.filter((name) => names.includes(name)).map((name) => {
        const value = chosen.get(name);
        return [name, value === undefined ? PREFERENCES[name] : value === 'true'] as const;
      });
      return Object.fromEntries(values);
    },

    change: (account, values) =>
      database.transaction(async (tx) => {
        for (const name of NAMES)
          if (values[name] !== undefined) await store.set(tx, account, name, String(values[name]));
      }),
  };
}
