import type { Database } from '../../foundation/database/index.ts';
import type { AnnotationStore } from './annotation-store.ts';
import type { Tags } from './tag-service.ts';

/** Everything that an account has noted about its files, for its copy of data. */
export interface AnnotationFacts {
  tags(account: string): Promise<{ id: string; name: string; color: string }[]>;
  /** One entry for each tag of each file. */
  tagged(account: string): AsyncIterable<{ tag: string; node: string; name: string; file: string }>;
  /** Notes, and colors and emoji of folders; texts are empty if there is none. */
  notes(
    account: string,
  ): AsyncIterable<{ node: string; file: string; note: string; color: string; emoji: string }>;
  /** Pinned folders with the names that they were given. */
  pins(account: string): Promise<{ node: string; name: string; file: string }[]>;
}

const PAGE = 500;

export function createAnnotationFacts({
  database,
  store,
  tags,
}: {
  database: Database;
  store: AnnotationStore;
  tags: Tags;
}): AnnotationFacts {
  return {
    tags: (account) => tags.list(database, account),
    tagged: (account) => tags.tagged(account),
    async *notes(account) {
      for (let after = '', more = true; more;) {
        const page = await store.after(database, account, { after, limit: PAGE });
        yield* page;
        after = page.at(-1)?.node ?? '';
        more = page.length === PAGE;
      }
    },
    pins: (account) => store.pins(database, account),
  };
}
