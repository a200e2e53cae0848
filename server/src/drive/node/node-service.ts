import { ApiFailure, LIMITS } from '@bowerbird/contract';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { KeysetPosition, Sql, Tx } from '../../foundation/database/index.ts';
import type { ListPage, Lists, ListView } from './list-service.ts';
import { admit, checkName, nameColumns } from './name-service.ts';
import type { DriveStore, NodeColumns } from '../drive-store.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { TrashCan } from '../trash/index.ts';
import { FILE, FOLDER, type Conflict, type ListOrder, type NodeRow, type ShownNode } from '../drive.ts';
import { createLineage, type Standing } from '../lineage.ts';
import { nameFold } from '../name-key.ts';

export interface NewFile {
  /** Id of the node if it was assigned earlier (upload tickets, cloud downloads); generated otherwise. */
  readonly id?: string | undefined;
  readonly account: string;
  /** Id of a live folder, or the account's id for the root: see {@link Nodes.folder}. */
  readonly parent: string;
  readonly name: string;
  readonly blob: string;
  readonly size: number;
  /** `skip` returns the existing node. */
  readonly conflict: Conflict;
  readonly origin?: Readonly<Record<string, string>>;
  /** Date of the content; now if unknown. */
  readonly modifiedAt?: number | undefined;
}

/**
 * Tree of nodes. Every transaction that changes an account's tree holds its tree lock from its first read on
 * (PostgreSQL; SQLite has one writer), so checked conditions stay true until the commit.
 */
export interface Nodes {
  /**
   * Returns live nodes only: undefined for nodes that belong to others, are unknown, or are trashed, themselves
   * or with a folder.
   */
  find(sql: Sql, account: string, id: string): Promise<NodeRow | undefined>;
  /** Same as {@link Nodes.find}, but includes the trash. */
  findAnywhere(sql: Sql, account: string, id: string): Promise<Standing | undefined>;
  /**
   * Returns the id to use as `parent`: the account's for "" (the root), otherwise that of a live folder; throws
   * `file_not_found`.
   */
  folder(sql: Sql, account: string, id: string | undefined): Promise<string>;
  /**
   * Returns the path from one of `roots` to the live node, root first; undefined if it is not a live descendant
   * of any of them.
   */
  withinRoots(sql: Sql, id: string, roots: ReadonlySet<string>): Promise<NodeRow[] | undefined>;
  /** Returns the live ones among the nodes, in the order of `ids`. */
  findMany(sql: Sql, account: string, ids: readonly string[]): Promise<NodeRow[]>;
  /** Returns the path from a child of the root to the live node; undefined as in {@link Nodes.find}. */
  chain(sql: Sql, account: string, id: string): Promise<NodeRow[] | undefined>;
  /** Returns the names that are taken in a folder, with their nodes. */
  taken(sql: Sql, folder: string, names: readonly string[]): Promise<{ name: string; node: NodeRow }[]>;
  /** Returns the nodes and all their ancestors. */
  lineage(sql: Sql, ids: readonly string[]): Promise<NodeRow[]>;
  /**
   * Returns a page of a folder's live children; `next` is the place where more follow. The cost is that of the
   * page.
   */
  children(
    sql: Sql,
    folder: string,
    page: { order: ListOrder; limit: number; place: KeysetPosition | undefined },
  ): Promise<ListPage>;
  /** Same as {@link Nodes.children} with only those columns that the API shows. */
  shownChildren(
    sql: Sql,
    folder: string,
    page: { order: ListOrder; limit: number; place: KeysetPosition | undefined },
  ): Promise<ListPage<ShownNode>>;
  /** Locks the account's tree for this transaction. Call it first, before any read that a change depends on. */
  lock(tx: Tx, account: string): Promise<void>;
  /**
   * Returns a number that every change to the account's tree raises, and every change to what lists show of its files.
   * To describe rows, read it before them.
   */
  version(sql: Sql, account: string): Promise<number>;
  /**
   * Adds a file whose bytes have a blob row. Checks the folder and the name; takes the tree lock. The caller
   * charges the quota, after this call (the tree lock precedes the quota's row everywhere).
   */
  addFile(tx: Tx, file: NewFile): Promise<NodeRow>;
  /** Adds a folder; `skip` and `replace` return an existing one. */
  addFolder(
    tx: Tx,
    folder: {
      /** Same as in {@link NewFile}; `skip` and `replace` may return a folder with another id. */
      id?: string | undefined;
      account: string;
      parent: string;
      name: string;
      conflict: Conflict;
      origin?: Readonly<Record<string, string>>;
      /** Date of the folder; now if unknown. */
      modifiedAt?: number | undefined;
    },
  ): Promise<NodeRow>;
}

export function createNodes({
  store,
  lists,
  trash,
  sizes,
  clock,
  ids,
}: {
  store: DriveStore;
  lists: Lists;
  trash: TrashCan;
  sizes: FolderSizeStore;
  clock: Clock;
  ids: Ids;
}): Nodes {
  const depthOf = async (sql: Sql, account: string, folder: string): Promise<number> =>
    folder === account ? 0 : (await store.lineage(sql, [folder])).length;

  /** Inserts the row under its final name; returns the existing node if that is to stay. */
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
    if (row.parent !== row.account)
      await sizes.add(tx, [
        { parent: row.parent, bytes: row.size, files: row.kind, folders: row.kind === FOLDER ? 1 : 0 },
      ]);
    return (await store.byId(tx, row.id))!;
  }

  const liveIn = (folder: string, order: ListOrder): ListView => ({
    area: { folder },
    order,
    kinds: [FOLDER, FILE],
    trashed: [false],
  });

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

    children: (sql, folder, { order, ...page }) => lists.page(sql, liveIn(folder, order), page),
    shownChildren: (sql, folder, { order, ...page }) => lists.shownPage(sql, liveIn(folder, order), page),

    async lock(tx, account) {
      await tx.lock(`tree:${account}`);
      await store.raiseVersion(tx, account);
    },

    version: (sql, account) => store.version(sql, account),

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
