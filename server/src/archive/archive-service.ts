import { ApiFailure, splitName, type ErrorId } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Database, KeysetPosition } from '../foundation/database/index.ts';
import { timeText, type Clock, type Ids, type Keys } from '../foundation/index.ts';
import { FILE, type Accesses, type Blobs, type NodeRow, type Nodes } from '../drive/index.ts';
import { slicesAt, type Traffic } from '../membership/index.ts';
import { outermost, stillWithin, type ShareEntry, type ShareRow } from '../share/index.ts';
import type { ArchiveStore } from './archive-store.ts';
import { walk, type Placed } from './archive-walk.ts';
import { LINK_SECONDS, namedIn, type Selection, type Ticket } from './archive.ts';
import { gather, zip, type ZipEntry } from './zip.ts';

export interface ArchiveLink {
  /** Path and query; needs no session. */
  readonly path: string;
  readonly expiresAt: number;
}

export interface OpenArchive {
  /** File name with its extension. */
  readonly name: string;
  /** Counted as traffic of the owner. Fails with `traffic_…_limit` once that is used up. */
  readonly bytes: AsyncGenerator<Uint8Array, void, undefined>;
}

export interface Archives {
  pack(account: string, selection: Selection): Promise<ArchiveLink>;
  /** Packs nodes of an entered share, or the whole share if `ids` is empty. */
  packShare(share: ShareRow, roots: readonly NodeRow[], ids: readonly string[]): Promise<ArchiveLink>;
  /** Nodes of an account as one zip, generated while it is read. */
  contents(account: string, ids: readonly string[]): AsyncIterable<Uint8Array>;
  /**
   * Contents of a link in their current state; `not_found` for links that are forged or expired, or whose
   * share is closed, `traffic_…_limit` if the month's traffic is used up.
   */
  open(link: { id: string; expire: string; sign: string }, address: string): Promise<OpenArchive>;
  forgetExpired(): Promise<void>;
}

interface Parts {
  database: Database;
  store: ArchiveStore;
  storage: Pick<BlobStore, 'open'>;
  nodes: Nodes;
  blobs: Blobs;
  entry: ShareEntry;
  accesses: Pick<Accesses, 'of'>;
  traffic: Pick<Traffic, 'begin' | 'check'>;
  /** Reason why an account may not be used. */
  refusal: (account: string) => Promise<ErrorId | undefined>;
  keys: Keys;
  ids: Ids;
  clock: Clock;
}

const SIGNATURE = 'archive-link';
const LOOK_AGAIN_MS = 10_000;
const COUNTED_EVERY_BYTES = 64 * 2 ** 20;
const PAGE = 500;
const ORDER = { key: 'name', descending: false, foldersFirst: false } as const;

export function createArchives({
  database,
  store,
  storage,
  nodes,
  blobs,
  entry,
  accesses,
  traffic,
  refusal,
  keys,
  ids,
  clock,
}: Parts): Archives {
  async function link(ticket: Omit<Ticket, 'id' | 'expiresAt'>): Promise<ArchiveLink> {
    const id = ids.secret();
    const expiresAt = clock.now() + LINK_SECONDS * 1000;
    await database.transaction((tx) => store.insert(tx, { ...ticket, id, expiresAt }));
    const expire = Math.floor(expiresAt / 1000);
    return {
      path: `/archive/?id=${id}&expire=${expire}&sign=${keys.sign(SIGNATURE, `${id} ${expire}`)}`,
      expiresAt,
    };
  }

  async function* children(folder: string): AsyncGenerator<NodeRow, void, undefined> {
    let place: KeysetPosition | undefined;
    do {
      const { rows, next } = await nodes.children(database, folder, { order: ORDER, limit: PAGE, place });
      yield* rows;
      place = next;
    } while (place);
  }

  /** Current nodes at the archive's top. */
  async function* top({
    account,
    selection,
  }: Pick<Ticket, 'account' | 'selection'>): AsyncGenerator<NodeRow, void, undefined> {
    const owner = selection.owner ?? account;
    if ('ids' in selection) {
      yield* await nodes.findMany(database, owner, selection.ids);
      return;
    }
    const except = new Set(selection.except);
    for await (const node of children(await nodes.folder(database, owner, selection.allIn)))
      if (!except.has(node.id)) yield node;
  }

  /** Throws if a member's access to items of another one has ended. */
  async function checkAccess(account: string, selection: Selection): Promise<void> {
    if (selection.owner === undefined) return;
    const access = await accesses.of(database, account, namedIn(selection), 'view');
    if (access.account !== selection.owner) throw new ApiFailure('file_not_found');
  }

  /** Ticket of a share in its current state, with its title; undefined if the share is not accessible. */
  async function throughShare(
    ticket: Ticket,
    share: NonNullable<Ticket['share']>,
  ): Promise<{ ticket: Ticket; title: string } | undefined> {
    const entered = await entry.reenter(database, share.id, share.passcodeVersion);
    if (!entered.open || !entered.share || !('ids' in ticket.selection)) return undefined;
    const roots = new Set(entered.roots.map(({ id }) => id));
    const wanted = ticket.selection.ids.length > 0 ? ticket.selection.ids : [...roots];
    const live = await stillWithin(database, nodes, wanted, roots);
    return {
      ticket: { ...ticket, selection: { ids: live.map(({ id }) => id) } },
      title: entered.share.title,
    };
  }

  /**
   * Name of a single item. For several items: the name of their common folder, or of the first item if there
   * is none, and the date.
   */
  async function nameOf({ account: payer, selection }: Ticket): Promise<string> {
    const account = selection.owner ?? payer;
    const day = timeText(clock.now()).slice(0, 10);
    if (!('ids' in selection)) {
      const folder = await nodes.find(database, account, selection.allIn);
      return folder?.name ?? `files ${day}`;
    }
    const found = await nodes.findMany(database, account, selection.ids);
    const [first, ...others] = found;
    if (!first) return `files ${day}`;
    if (others.length === 0) return first.name;
    const isTogether = others.every(({ parent }) => parent === first.parent);
    const folder = isTogether ? await nodes.find(database, account, first.parent) : undefined;
    return `${folder?.name ?? splitName(first.name).stem} ${day}`;
  }

  /** Checks the permission of long downloads from time to time, and fails if it is gone. */
  async function* entries(
    placed: AsyncIterable<Placed>,
    { account, share, selection }: Pick<Ticket, 'account' | 'share' | 'selection'>,
  ): AsyncGenerator<ZipEntry, void, undefined> {
    let looked = clock.now();
    for await (const { path, node } of placed) {
      if ((share || selection.owner) && clock.now() - looked >= LOOK_AGAIN_MS) {
        if (share && !(await entry.reenter(database, share.id, share.passcodeVersion)).open)
          throw new ApiFailure('not_found');
        await checkAccess(account, selection);
        looked = clock.now();
      }
      if (node.quarantined_at !== null) continue;
      const modifiedAt = node.modified_at;
      if (node.kind !== FILE || node.blob === null) yield { path, modifiedAt };
      else
        yield {
          path,
          modifiedAt,
          content: { size: node.size, open: () => contentOf(node.blob!, node.size) },
        };
    }
  }

  async function contentOf(hash: string, size: number): Promise<AsyncIterable<Uint8Array>> {
    const blob = await blobs.byHash(database, hash, size);
    if (!blob) throw new ApiFailure('data_loss');
    return (await storage.open(blob.store_key)).stream as AsyncIterable<Uint8Array>;
  }

  const zipped = (ticket: Omit<Ticket, 'id' | 'expiresAt'>): AsyncGenerator<Uint8Array, void, undefined> =>
    gather(
      zip(
        entries(
          walk(top(ticket), (folder) => children(folder.id)),
          ticket,
        ),
      ),
    );

  const kindOf = (ticket: Pick<Ticket, 'share'>) => (ticket.share ? 'shared' : 'download');

  /** Counts bytes while they are read. Nobody knows the length of a zip in advance, so it ends with the traffic. */
  async function* counted(ticket: Ticket, address: string): AsyncGenerator<Uint8Array, void, undefined> {
    const { account } = ticket;
    const moving = await traffic.begin(account, { kind: kindOf(ticket), bytes: 0, address });
    const { pace } = moving;
    let since = 0;
    try {
      for await (const chunk of zipped(ticket)) {
        if (pace) yield* slicesAt(pace, chunk);
        else yield chunk;
        since += chunk.byteLength;
        if (since < COUNTED_EVERY_BYTES) continue;
        moving.sent(since);
        since = 0;
        await traffic.check(database, account, kindOf(ticket), 1);
      }
    } finally {
      moving.sent(since);
      moving.end();
    }
  }

  return {
    contents: (account, wanted) => zipped({ account, share: undefined, selection: { ids: wanted } }),

    async pack(member, selection) {
      await traffic.check(database, member, 'download', 1);
      const { account } = await accesses.of(database, member, namedIn(selection), 'view');
      const owner = account === member ? {} : { owner: account };
      if (!('ids' in selection)) {
        const allIn = await nodes.folder(database, account, selection.allIn);
        return link({
          account: member,
          share: undefined,
          selection: { ...selection, allIn: allIn === account ? '' : allIn, ...owner },
        });
      }
      const wanted = new Set(selection.ids);
      if ((await nodes.findMany(database, account, [...wanted])).length < wanted.size || wanted.size === 0)
        throw new ApiFailure('file_not_found');
      const found = await outermost(database, nodes, wanted, wanted);
      const selected = { ids: found.map(({ id }) => id), ...owner };
      return link({ account: member, share: undefined, selection: selected });
    },

    async packShare(share, roots, wanted) {
      await traffic.check(database, share.account, 'shared', 1);
      const rootIds = new Set(roots.map(({ id }) => id));
      const found = wanted.length > 0 ? await outermost(database, nodes, wanted, rootIds) : [];
      return link({
        account: share.account,
        share: { id: share.id, passcodeVersion: share.passcodeVersion },
        selection: { ids: found.map(({ id }) => id) },
      });
    },

    async open({ id, expire, sign }, address) {
      const known = keys.verify(SIGNATURE, `${id} ${expire}`, sign)
        ? await store.find(database, id)
        : undefined;
      if (!known || known.expiresAt <= clock.now()) throw new ApiFailure('not_found');
      const shared = known.share && (await throughShare(known, known.share));
      if (known.share && !shared) throw new ApiFailure('not_found');
      const reason = await refusal(known.account);
      if (reason) throw new ApiFailure(reason);
      await checkAccess(known.account, known.selection);
      const ticket = shared?.ticket ?? known;
      await traffic.check(database, known.account, kindOf(known), 1);
      const name = shared?.title ?? (await nameOf(ticket));
      return {
        name: `${name}.zip`,
        bytes: counted(ticket, address),
      };
    },

    forgetExpired: () => database.transaction((tx) => store.removeExpired(tx, clock.now())),
  };
}
