import type { Room } from '@bowerbird/storage';
import type { Blobs, Conflict, Events, NodeRow, Nodes, Placements } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import type { Quota, Traffic } from '../membership/index.ts';
import type { TaskRow, Tasks } from '../task/index.ts';
import type { Completions } from './upload-completion-service.ts';
import type { UploadStore } from './upload-store.ts';
import { readAsk, storeKeyOf, type UploadRow } from './upload.ts';

export interface TicketAsk {
  readonly parent_id?: string | undefined;
  readonly name?: string | undefined;
  readonly size?: number | string | undefined;
  readonly hash?: string | undefined;
  readonly upload_type?: string | undefined;
  readonly conflict?: Conflict | undefined;
  readonly user_modified_time?: string | undefined;
}

/** File that exists already, or an upload that waits for its bytes. */
export type Ticket =
  | { readonly node: NodeRow; readonly task: TaskRow }
  | { readonly upload: UploadRow; readonly task: TaskRow };

export interface Tickets {
  /**
   * Reserves quota and prepares for the bytes. Empty files, and content already in the caller's own drive,
   * are complete at once: other members' content is never returned for its hash alone. Throws
   * `file_space_not_enough`, `traffic_upload_limit`.
   */
  open(account: string, ask: TicketAsk): Promise<Ticket>;
  find(id: string): Promise<UploadRow | undefined>;
  /** Sets the date of a file that still waits for its bytes. */
  date(id: string, modifiedAt: number): Promise<void>;
  /** Upload that still waits for its bytes. */
  pending(account: string, id: string): Promise<UploadRow | undefined>;
  /** Live file whose content the upload has replaced: it kept its own id. */
  replaced(account: string, id: string): Promise<NodeRow | undefined>;
}

export interface TicketDeps {
  readonly database: Database;
  readonly store: UploadStore;
  readonly room: Room;
  readonly completions: Completions;
  readonly quota: Quota;
  readonly traffic: Pick<Traffic, 'check'>;
  readonly tasks: Tasks;
  readonly nodes: Nodes;
  readonly placements: Pick<Placements, 'overwrite' | 'freedBy'>;
  readonly blobs: Blobs;
  readonly events: Events;
  readonly clock: Clock;
  readonly ids: Ids;
}

type Ask = ReturnType<typeof readAsk> & {
  readonly account: string;
  readonly parent: string;
  readonly conflict: Conflict;
};

export function createTickets({
  database,
  store,
  room,
  completions,
  quota,
  traffic,
  tasks,
  nodes,
  placements,
  blobs,
  events,
  clock,
  ids,
}: TicketDeps): Tickets {
  const taskOf = ({ account, name, size }: Ask, fileId: string) => ({
    account,
    type: 'upload' as const,
    name,
    fileId,
    fileName: name,
    fileSize: size,
    state: { upload: fileId },
  });

  /** Returns the file at once if the caller's own drive has its content; undefined if it must be sent. */
  async function instant(ask: Ask): Promise<Ticket | undefined> {
    const { account, parent, name, size, hash, conflict, modifiedAt } = ask;
    if (size === 0 || hash === '' || !(await blobs.ownedBy(database, account, hash, size))) return undefined;
    return database.transaction(async (tx) => {
      await nodes.lock(tx, account);
      const blob = await blobs.ownedBy(tx, account, hash, size);
      if (!blob) return undefined;
      const id = ids.next();
      const file = { id, account, parent, name, blob: blob.hash, size, conflict, modifiedAt };
      const node = (await placements.overwrite(tx, file, { reserved: 0 })) ?? (await nodes.addFile(tx, file));
      if (node.id === id) {
        await quota.charge(tx, account, size, { reason: 'upload', reference: id });
        await events.came(tx, account, 'TYPE_UPLOAD', [id]);
      }
      const task = await tasks.begin(tx, {
        ...taskOf(ask, node.id),
        fileName: node.name,
        phase: 'PHASE_TYPE_COMPLETE',
      });
      return { node, task };
    });
  }

  /**
   * Reserves room for the bytes. If there is too little, but the file replaces another, its former content and the
   * versions that make room for it count as free: they are removed when the bytes have arrived and are charged.
   */
  async function reserveFor(tx: Tx, { account, parent, name, size, conflict }: Ask): Promise<number> {
    const { limit, used, reserved } = await quota.of(tx, account);
    const free = Math.max(0, limit - used - reserved);
    if (size > free && conflict === 'replace') {
      const freed = await placements.freedBy(tx, { parent, name });
      const lacking = Math.max(0, size - freed);
      if (lacking <= free) {
        await quota.reserve(tx, account, lacking);
        return lacking;
      }
    }
    await quota.reserve(tx, account, size);
    return size;
  }

  async function reserve(ask: Ask): Promise<{ upload: UploadRow; task: TaskRow }> {
    const { account, parent, name, size, hash, conflict, modifiedAt } = ask;
    return database.transaction(async (tx) => {
      const id = ids.next();
      const reserved = await reserveFor(tx, ask);
      await traffic.check(tx, account, 'upload', size);
      const task = await tasks.begin(tx, taskOf(ask, id));
      const upload = await store.insert(tx, {
        id,
        account,
        parent,
        name,
        size,
        reserved,
        announcedHash: hash,
        conflict,
        task: task.id,
        modifiedAt,
        createdAt: clock.now(),
      });
      // No bytes are needed: the upload is claimed at once.
      if (size === 0)
        await store.claim(tx, id, { storeKey: storeKeyOf(id, 'empty'), chosen: [], now: clock.now() });
      return { upload, task };
    });
  }

  return {
    async open(account, asked) {
      const parent = await nodes.folder(database, account, asked.parent_id);
      const ask: Ask = { ...readAsk(asked), account, parent, conflict: asked.conflict ?? 'rename' };
      const there = await instant(ask);
      if (there) return there;
      await room.check(ask.size);
      const { upload, task } = await reserve(ask);
      if (upload.size > 0) return { upload, task };
      await completions.resume(upload.id);
      const finished = (await tasks.byId(database, task.id))!;
      return { node: (await nodes.find(database, account, finished.fileId))!, task: finished };
    },

    find: (id) => store.find(database, id),

    async date(id, modifiedAt) {
      await database.transaction((tx) => store.date(tx, id, modifiedAt));
    },

    async pending(account, id) {
      const upload = await store.find(database, id);
      return upload?.account === account && (upload.state === 'open' || upload.state === 'completing')
        ? upload
        : undefined;
    },

    async replaced(account, id) {
      const upload = await store.find(database, id);
      if (upload?.account !== account || upload.state !== 'done' || upload.conflict !== 'replace')
        return undefined;
      const task = await tasks.byId(database, upload.task);
      return task && nodes.find(database, account, task.fileId);
    },
  };
}
