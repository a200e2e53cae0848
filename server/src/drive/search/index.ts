import type { Foundation } from '../../foundation/domain/index.ts';
import type { NoteStore, TagStore } from '../annotation/index.ts';
import type { NameIndexStore } from '../name-index/index.ts';
import type { Nodes } from '../node/index.ts';
import { createNameSources } from './name-source-service.ts';
import { createSearches, type Searches } from './search-service.ts';
import { createSearchStore } from './search-store.ts';

export { mountSearches, searchPage } from './search-routes.ts';
export type { Found, Searches } from './search-service.ts';

export function createSearch({
  database,
  clock,
  jobs,
  names,
  nodes,
  tags,
  notes,
}: Pick<Foundation, 'database' | 'clock' | 'jobs'> & {
  names: NameIndexStore;
  nodes: Nodes;
  tags: TagStore;
  notes: NoteStore;
}): Searches {
  const sources = createNameSources({ database, store: names, nodes, jobs });
  return createSearches({ database, store: createSearchStore(), tags, notes, sources, nodes, clock });
}
