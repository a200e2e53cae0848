import type { Database } from '../../foundation/database/index.ts';
import type { Clock, Ids, Keys } from '../../foundation/index.ts';
import { codeStore as store } from './code-store.ts';
import { digestOf, drawCode, referenceOf, writeCode, type Batch } from './code.ts';

export type NewBatch = Omit<Batch, 'id' | 'createdAt' | 'startsAt'> & {
  /** At once if undefined. */
  readonly startsAt: number | undefined;
};

/** A code with who redeemed it. */
export interface ExportedCode {
  /** `7H3K-92FA-…`; undefined if the installation's secret has changed since the batch was created. */
  readonly text: string | undefined;
  readonly used: number;
  /** Ids of the accounts, oldest first. Accounts that were deleted since are missing. */
  readonly accounts: readonly string[];
}

/** Batches of activation codes, for the administrator. */
export interface Batches {
  /** Creates a batch with all of its codes, or nothing. */
  create(batch: NewBatch): Promise<Batch>;
  /** All batches, oldest first, with the number of times that their codes were redeemed. */
  list(): Promise<(Batch & { readonly used: number })[]>;
  find(id: string): Promise<Batch | undefined>;
  codes(batch: Batch): AsyncGenerator<ExportedCode>;
  /** Makes the codes of a batch invalid from now on. Returns false if they are already. */
  end(id: string): Promise<boolean>;
}

const PURPOSE = 'activation-code';

export function createBatches({
  database,
  keys,
  clock,
  ids,
}: {
  database: Database;
  keys: Keys;
  clock: Clock;
  ids: Ids;
}): Batches {
  const lettersOf = (batch: string, number: number): string => drawCode(keys.of(PURPOSE), batch, number);
  return {
    async create(asked) {
      const createdAt = clock.now();
      const batch: Batch = { ...asked, id: ids.next(), createdAt, startsAt: asked.startsAt ?? createdAt };
      const codes = Array.from({ length: batch.count }, (_, index) => ({
        digest: digestOf(lettersOf(batch.id, index + 1)),
        batch: batch.id,
        number: index + 1,
        usesLeft: batch.uses,
      }));
      await database.transaction((tx) => store.insert(tx, batch, codes));
      return batch;
    },

    list: () => store.list(database),
    find: (id) => store.batch(database, id),

    async *codes(batch) {
      const redeemers = await store.redeemers(database, batch.id);
      let last = 0;
      for (;;) {
        const codes = await store.codes(database, batch.id, last);
        for (const code of codes) {
          const letters = lettersOf(batch.id, code.number);
          yield {
            text: digestOf(letters) === code.digest ? writeCode(letters) : undefined,
            used: batch.uses - code.usesLeft,
            accounts: redeemers.get(referenceOf(code)) ?? [],
          };
          last = code.number;
        }
        if (codes.length === 0) break;
      }
    },

    end: (id) => database.transaction((tx) => store.end(tx, id, clock.now())),
  };
}
