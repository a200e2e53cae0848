import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../foundation/database/index.ts';
import type { Clock, Ids, Keys } from '../../foundation/index.ts';
import { codeStore as store, type UsedBatch } from './code-store.ts';
import { digestOf, drawCode, referenceOf, writeCode, type Batch, type Code } from './code.ts';

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

/** A batch with what became of it. */
export interface ListedBatch extends UsedBatch {
  /** False if the installation's secret has changed since it was created. */
  readonly isExportable: boolean;
}

/** Batches of activation codes, for the administrator. */
export interface Batches {
  /** Creates a batch with all of its codes, or nothing. */
  create(batch: NewBatch): Promise<Batch>;
  /** All batches, oldest first, with the number of times that their codes were redeemed. */
  list(): Promise<UsedBatch[]>;
  /** A page of batches, the newest first: those before the given one, if there is one. */
  page(place: { before?: string; limit: number }): Promise<ListedBatch[]>;
  find(id: string): Promise<Batch | undefined>;
  codes(batch: Batch): AsyncGenerator<ExportedCode>;
  /** Makes the codes of a batch invalid from now on. Returns false if they are already. */
  end(id: string): Promise<boolean>;
}

const PURPOSE = 'activation-code';
/** Codes that are computed without a pause. */
const AT_ONCE = 200;

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
  async function isExportable({ id }: Batch): Promise<boolean> {
    const [first] = await store.codes(database, id, 0, 1);
    return first !== undefined && digestOf(lettersOf(id, first.number)) === first.digest;
  }

  return {
    async create(asked) {
      const createdAt = clock.now();
      const batch: Batch = { ...asked, id: ids.next(), createdAt, startsAt: asked.startsAt ?? createdAt };
      const codes: Code[] = [];
      for (let number = 1; number <= batch.count; number += 1) {
        const digest = digestOf(lettersOf(batch.id, number));
        codes.push({ digest, batch: batch.id, number, usesLeft: batch.uses });
        // Other requests have a turn in between.
        if (number % AT_ONCE === 0) await setImmediate();
      }
      await database.transaction((tx) => store.insert(tx, batch, codes));
      return batch;
    },

    list: () => store.list(database),

    async page(place) {
      const batches = await store.newest(database, place);
      return Promise.all(
        batches.map(async (batch) => ({ ...batch, isExportable: await isExportable(batch) })),
      );
    },

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
