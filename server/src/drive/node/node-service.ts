import { ApiFailure, LIMITS } from '@bowerbird/contract';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Place, Sql, Tx } from '../../foundation/database/index.ts';
import type { Lists } from './list-service.ts';
import { admit, checkName, nameColumns } from './name-service.ts';
import type { DriveStore, NodeColumns } from '../drive-store.ts';
import type { TrashCan } from '../trash/index.ts';
import { FILE, FOLDER, type Conflict, type ListOrder, type NodeRow } from '../drive.ts';
import { createLineage, type Standing } from '../lineage.ts';
import { nameFold } from '../name-key.ts';

export interface NewFile {
  /** The node's id where it was promised before (upload tickets, offline downloads); made otherwise. */
  readonly id?: string | undefined;
  readonly account: string;
  /** Id of a live folder, or the account's id for the root: see {@link Nodes.folder}. */
  readonly parent: string;
  readonly name: string;
  readonly blob: string;
  readonly size: number;
  /** `skip` gives the node that is there already. */
  readonly conflict: Conflict;
  readonly origin?: Readonly<Record<string, string>>;
  /** The content's own date; now where nobody knows it. */
  readonly modifiedAt?: number | undefined;
}

/**
 * The tree. Every transaction that changes an account's tree holds its tree lock from its first look on (PostgreSQL;
 * SQLite has one writer), so what was checked stays true until the commit.
 */
export interface Nodes {
  /** Live nodes only: undefined for what is foreign, unknown, or trashed, itself or with a folder. */
  find(sql: Sql, account: string, id: string): Promise<NodeRow | undefined>;
  /** As {@link Nodes.find}, but also what lies in the trash. */
  findAnywhere(sql: Sql, account: string, id: string): Promise<Standing | undefined>;
  /** The id to use as `parent`: the account's for "" (the root), else that of a live folder; `file_not_found`. */
  folder(sql: Sql, account: string, id: string | undefined): Promise<string>;
  /** From one of `roots` down to the live node, root first; undefined where it is no live descendant of any of them. */
  withinRoots(sql: Sql, id: string, roots: ReadonlySet<string>): Promise<NodeRow[] | undefined>;
  /** Those of the nodes that are live, in the order of `ids`. */
  findMany(sql: Sql, account: string, ids: readonly string[]): Promise<NodeRow[]>;
  /** From a child of the root down to the live node; undefined as for {@link Nodes.find}. */
  chain(sql: Sql, account: string, id: string): Promise<NodeRow[] | undefined>;
  /** Which of the names are taken in a folder, and by what. */
  taken(sql: Sql, folder: string, names: readonly string[]): Promise<{ name: string; node: NodeRow }[]>;
  /** The nodes and all that stands above them. */
  lineage(sql: Sql, ids: readonly string[]): Promise<NodeRow[]>;
  /** A page of a folder's live children; `next` is the place where more follow. The cost is that of the page. */
  children(
    sql: Sql,
    folder: string,
    page: { order: ListOrder; limit: number; place: Place | undefined },
  ): Promise<{ rows: NodeRow[]; next: Place | undefined }>;
  /** Holds the account's tree for this transaction. First thing, before any look that a change depends on. */
  lock(tx: Tx, account: string): Promise<void>;
  /**
   * Adds a file whose bytes have a blob row. Checks the folder and the name; takes the tree lock. Charging quota is the
   * caller's, after this call (the lock comes before the quota's row everywhere).
   */
  addFile(tx: Tx, file: NewFile): Promise<NodeRow>;
  /** Adds a folder; `skip` and `replace` give the folder that is there already. */
  addFolder(
    tx: Tx,
    folder: {
      /** As of {@link NewFile}; `skip` and `replace` may give a folder of another id. */
      id?: string | undefined;
      account: string;
      parent: string;
      name: string;
      conflict: Conflict;
      origin?: Readonly<Record<string, string>>;
      /** The folder's own date; now where nobody knows it. */
      modifiedAt?: number | undefined;
    },
  ): Promise<NodeRow>;
}

export function createNodes({
  store,
  lists,
  trash,
  clock,
  ids,
}: {
  store: DriveStore;
  lists: Lists;
  trash: TrashCan;
  clock: Clock;
  ids: Ids;
}): Nodes {
  const depthOf = async (sql: Sql, account: string, folder: string): Promise<number> =>
    folder === account ? 0 : (await store.lineage(sql, [folder])).length;

  /** Makes the row under the name that it gets; gives the resident where that one is to stay. */
  async function add(
    tx: Tx,
    row: Omit<NodeColumns, 'name' | 'name_fold' | 'name_key' | 'type_key'>,
    asked: { name: string; conflict: Conflict },
  ): Promise<NodeRow> {
    const putAside = (inner: Tx, nodes: readonly string[]): Promise<void> =>
      trash.put(inner, row.account, nodes);
    const [name] = await admit(tx, store, [{ id: row.id, name: asked.name, kind: row.kind }], {
      parent: row.parent,
      conflict: asked.conflict,
      putAside,
    });
    if (name === undefined) return (await store.named(tx, row.parent, [nameFold(asked.name)]))[0]!;
    await store.insert(tx, { ...row, ...nameColumns(name, row.kind) });
    return (await store.byId(tx, row.id))!;
  }

  const nodes: Nodes = {
    async find(sql, account, id) {
      const found = await nodes.findAnywhere(sql, account, id);
      return found && !found.trashed ? found.node : undefined;
    },

    async findAnywhere(sql, account, id) {
      return createLineage(await store.lineage(sql, [id])).standing(account, id);
    },

    async findMany(sql, account, wanted) {
      const lineage = createLineage(await store.lineage(sql, wanted));
      return wanted.flatMap((id) => {
        const found = lineage.standing(account, id);
        return found && !found.trashed ? [found.node] : [];
      });
    },

    async folder(sql, account, id) {
      if (id === undefined || id === '' || id === account) return account;
      const node = await nodes.find(sql, account, id);
      if (node?.kind !== FOLDER) throw new ApiFailure('file_not_found');
      return node.id;
    },

    async withinRoots(sql, id, roots) {
      const lineage = createLineage(await store.lineage(sql, [id]));
      const chain = lineage.chain(id);
      const node = chain.at(-1);
      if (!node || lineage.standing(node.account, id)?.trashed !== false) return undefined;
      const from = chain.findIndex((entry) => roots.has(entry.id));
      return from < 0 ? undefined : chain.slice(from);
    },

    async chain(sql, account, id) {
      const lineage = createLineage(await store.lineage(sql, [id]));
      return lineage.standing(account, id)?.trashed === false ? lineage.chain(id) : undefined;
    },

    async taken(sql, folder, names) {
      const residents = new Map(
        (await store.named(sql, folder, [...new Set(names.map(nameFold))])).map((node) => [
          node.name_fold,
          node,
        ]),
      );
      return names.flatMap((name) => {
        const node = residents.get(nameFold(name));
        return node ? [{ name, node }] : [];
      });
    },

    lineage: (sql, ids) => store.lineage(sql, ids),

    children: (sql, folder, { order, limit, place }) =>
      lists.page(sql, { area: { folder }, order, kinds: [FOLDER, FILE], trashed: [false] }, { limit, place }),

    lock: (tx, account) => tx.lock(`tree:${account}`),

    async addFile(tx, file) {
      checkName(file.name);
      await nodes.lock(tx, file.account);
      const parent = await nodes.folder(tx, file.account, file.parent);
      const now = clock.now();
      return add(
        tx,
        {
          id: file.id ?? ids.next(),
          account: file.account,
          parent,
          kind: FILE,
          size: file.size,
          blob: file.blob,
          created_at: now,
          modified_at: file.modifiedAt ?? now,
          trashed_at: null,
          starred_at: null,
          origin: file.origin ? JSON.stringify(file.origin) : null,
        },
        file,
      );
    },

    async addFolder(tx, folder) {
      checkName(folder.name);
      await nodes.lock(tx, folder.account);
      const parent = await nodes.folder(tx, folder.account, folder.parent);
      if ((await depthOf(tx, folder.account, parent)) >= LIMITS.depth)
        throw new ApiFailure('invalid_argument', { field: 'parent_id', reason: 'depth' });
      if (folder.conflict === 'skip' || folder.conflict === 'replace') {
        const [resident] = await store.named(tx, parent, [nameFold(folder.name)]);
        if (resident?.kind === FOLDER) return resident;
      }
      const now = clock.now();
      return add(
        tx,
        {
          id: folder.id ?? ids.next(),
          account: folder.account,
          parent,
          kind: FOLDER,
          size: 0,
          blob: null,
          created_at: now,
          modified_at: folder.modifiedAt ?? now,
          trashed_at: null,
          starred_at: null,
          origin: folder.origin ? JSON.stringify(folder.origin) : null,
        },
        { name: folder.name, conflict: folder.conflict === 'fail' ? 'fail' : 'rename' },
      );
    },
  };
  return nodes;
}
