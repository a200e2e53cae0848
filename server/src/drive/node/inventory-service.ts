import type { Database, KeysetPosition } from '../../foundation/database/index.ts';
import type { ListView, Lists } from './list-service.ts';
import { FILE, FOLDER, type NodeRow } from '../drive.ts';

/** Node of a drive, with its path: `/Photos/sea.jpg`. */
export interface Held {
  readonly path: string;
  readonly node: NodeRow;
}

const PAGE = 500;
const BY_NAME = { key: 'name', descending: false, foldersFirst: false } as const;

/**
 * Iterates over everything that an account has, folders before their contents: first the drive, then the trash.
 */
export function createInventory({ database, lists }: { database: Database; lists: Lists }) {
  async function* rows(area: ListView['area'], trashed: boolean): AsyncGenerator<NodeRow, void, undefined> {
    const view: ListView = { area, order: BY_NAME, kinds: [FOLDER, FILE], trashed: [trashed] };
    for (let place: KeysetPosition | undefined, more = true; more;) {
      const page = await lists.page(database, view, { limit: PAGE, place });
      yield* page.rows;
      place = page.next;
      more = place !== undefined;
    }
  }

  async function* beneath(top: AsyncIterable<NodeRow>): AsyncGenerator<Held, void, undefined> {
    // Uses its own stack: the tree may be deeper than generators should be nested.
    const open = [{ folder: '', nodes: top[Symbol.asyncIterator]() }];
    for (let here = open.at(-1); here; here = open.at(-1)) {
      const { done, value: node } = await here.nodes.next();
      if (done) {
        open.pop();
        continue;
      }
      const path = `${here.folder}/${node.name}`;
      yield { path, node };
      if (node.kind === FOLDER)
        open.push({ folder: path, nodes: rows({ folder: node.id }, false)[Symbol.asyncIterator]() });
    }
  }

  return async function* (account: string): AsyncGenerator<Held, void, undefined> {
    yield* beneath(rows({ folder: account }, false));
    yield* beneath(rows({ trashOf: account }, true));
  };
}
