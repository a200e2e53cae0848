import type { Foundation } from '../../foundation/domain/index.ts';
import { createNameCheck } from './name-check-service.ts';
import { createNameIndex } from './name-index-service.ts';
import { createNameIndexStore } from './name-index-store.ts';
import { createNameMerges } from './name-merge-service.ts';

export { createBlockScan, nameQuery, TIERS, type BlockScan, type NameQuery } from './block-scan.ts';
export {
  compareEntries,
  FULL,
  idAt,
  nameEntry,
  openBlock,
  packBlock,
  textAt,
  weightOf,
  type NameBlock,
  type NameEntry,
} from './name-block.ts';
export { type Tier } from './name-filter.ts';
export type { NameIndex, NameRecords } from './name-index-service.ts';
export {
  createNameIndexStore,
  type BlockHead,
  type NamedNode,
  type NameIndexStore,
} from './name-index-store.ts';
export { NAMES_VERSION, type NameMerges } from './name-merge-service.ts';
export { entryText, foldText, spellingsOf, foldSpelled } from './search-fold.ts';
export type { NameCheck } from './name-check-service.ts';

/** The index of names and what maintains it. */
export function createNames({ database, jobs, ids }: Pick<Foundation, 'database' | 'jobs' | 'ids'>) {
  const store = createNameIndexStore();
  const records = createNameIndex({ database, store, jobs, ids });
  return {
    store,
    records,
    merges: createNameMerges({ database, store, ids }),
    check: createNameCheck({ database, store, names: records }),
  };
}
