import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, ERRORS, isApiFailure, type ErrorId } from '@bowerbird/contract';
import { BlobNotFound, PartMissing, SizeMismatch, StagingGone, type BlobStore, type PartChoice } from '@bowerbird/storage';
import type { Blobs, Nodes } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock, Ids, Log } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import type { Tasks } from '../task/index.ts';
import { identifyKept } from './content-assembly.ts';
import type { Content, HashedPart } from './content-hash.ts';
import type { Hashing } from './landing.ts';
import type { PartBody, Parts } from './upload-part-service.ts';
import type { UploadStore } from './upload-store.ts';
import { checkOrder, PartsRefused, stagingIdOf, storeKeyOf, UNFINISHED, type PartRow, type UploadRow } from './upload.ts';

/** What a whole upload is, to who sent it. */
export interface Completed {
  readonly hash: string;
  readonly size: number;
}

export interface Completions {
  /** Makes the file of the named parts. Of several at once all get the same answer, as does who asks again later. */
  complete(upload: string, named: readonly { number: number; etag: string }[]): Promise<Completed>;
  /** Makes the file of one body. */
  putWhole(upload: string, body: PartBody): Promise<Completed>;
  /** Makes a file without any bytes. */
  completeEmpty(upload: UploadRow): Promise<Completed>;
  /** Ends an upload and gives back its bytes and quota; false where it had ended already. */
  giveUp(upload: string, end: { state: 'failed' | 'cancelled' | 'expired'; failure: ErrorId; idleSince?: number }): Promise<boolean>;
  /** As {@link giveUp}, in the caller's transaction and without the task, which is the caller's. */
  giveUpIn(tx: Tx, upload: string, end: { state: 'failed' | 'cancelled' | 'expired'; failure: ErrorId; idleSince?: number }): Promise<UploadRow | undefined>;
}

export interface CompletionDeps {
  readonly database: Database;
  readonly store: UploadStore;
  readonly storage: BlobStore;
  readonly hashing: Hashing;
  readonly parts: Parts;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly nodes: Nodes;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** For how long who lost waits for the winner. */
const WINNER_TRIES = 40;
const WINNER_PAUSE_MS = 100;

export function createCompletions({ database, store, storage, hashing, parts, quota, tasks, nodes, blobs, clock, ids, log }: CompletionDeps): Completions {
  const underWay = new Map<string, Promise<Completed>>();

  /** Work of one upload that is asked for twice in this process is done once. Other processes are told apart by the rows. */
  function once(upload: string, work: () => Promise<Completed>): Promise<Completed> {
    const known = underWay.get(upload);
    if (known) return known;
    const doing = work().finally(() => underWay.delete(upload));
    underWay.set(upload, doing);
    return doing;
  }

  const done = (upload: UploadRow): Completed => ({ hash: upload.hash!, size: upload.size });

  /** Bytes that no row needs are given back later than the answer; what fails here is collected another day. */
  function letGo(...work: readonly Promise<void>[]): void {
    for (const each of work) each.catch((error: unknown) => log.warn({ err: error }, 'bytes of an upload could not be given back yet'));
  }

  const giveUpIn: Completions['giveUpIn'] = async (tx, id, end) => {
    const upload = await store.find(tx, id);
    if (!upload || !(await store.giveUp(tx, id, { ...end, now: clock.now() }))) return undefined;
    await store.forgetParts(tx, id);
    await quota.release(tx, upload.account, upload.size);
    tx.afterCommit(() => letGo(storage.discard(stagingIdOf(id)), ...(upload.storeKey ? [storage.remove(upload.storeKey)] : [])));
    return upload;
  };

  const giveUp: Completions['giveUp'] = (id, end) =>
    database.transaction(async (tx) => {
      const upload = await giveUpIn(tx, id, end);
      if (upload) await tasks.update(tx, upload.task, { phase: 'PHASE_TYPE_ERROR', error: end.failure });
      return upload !== undefined;
    });

  async function fail(upload: UploadRow, failure: ErrorId): Promise<never> {
    await giveUp(upload.id, { state: 'failed', failure });
    throw new ApiFailure(failure);
  }

  /**
   * The one step in which a file appears: upload, bytes, node, quota and task in one transaction. False where somebody
   * else ended the upload first; the caller's bytes are given back then.
   */
  async function appear(upload: UploadRow, from: 'open' | 'completing', storeKey: string, content: Content & { cid: string }): Promise<boolean> {
    const { id, account, parent, name, size, conflict, userModifiedAt } = upload;
    return database.transaction(async (tx) => {
      if (!(await store.complete(tx, id, from, { storeKey, hash: content.hash, now: clock.now() }))) {
        tx.afterCommit(() => letGo(removeUnlessCurrent(id, storeKey)));
        return false;
      }
      const { row: blob } = await blobs.ensure(tx, { hash: content.hash, size, gcid: content.gcid, cid: content.cid, storeKey });
      const node = await nodes.addFile(tx, { id, account, parent, name, blob: blob.hash, size, conflict, userModifiedAt });
      if (node.id === id) await quota.charge(tx, account, size, { reason: 'upload', reference: id, fromReserved: size });
      else await quota.release(tx, account, size);
      await store.forgetParts(tx, id);
      await tasks.update(tx, upload.task, { phase: 'PHASE_TYPE_COMPLETE', fileId: node.id, fileName: node.name });
      if (blob.store_key !== storeKey) tx.afterCommit(() => letGo(storage.remove(storeKey)));
      return true;
    });
  }

  /** The loser's bytes, but never those that a row names. */
  async function removeUnlessCurrent(id: string, storeKey: string): Promise<void> {
    const now = await store.find(database, id);
    if (now?.storeKey !== storeKey || !['done', ...UNFINISHED].includes(now.state)) await storage.remove(storeKey);
  }

  /** Identifies kept bytes and lets the file appear; refusals end the upload, faults leave it to be tried again. */
  async function finish(upload: UploadRow, from: 'open' | 'completing', storeKey: string, landed: readonly HashedPart[]): Promise<Completed> {
    const content = await identifyKept(storage, storeKey, landed, hashing);
    let won: boolean;
    try {
      won = await appear(upload, from, storeKey, content);
    } catch (error) {
      if (!isApiFailure(error) || ERRORS[error.id].status >= 500) throw error;
      await giveUp(upload.id, { state: 'failed', failure: error.id });
      if (from === 'open') letGo(storage.remove(storeKey));
      throw error;
    }
    return won ? { hash: content.hash, size: upload.size } : answerOfWinner(upload.id);
  }

  /** What became of an upload that somebody else was faster to end, or is about to. */
  async function answerOfWinner(id: string): Promise<Completed> {
    let upload = await store.find(database, id);
    for (let tries = 0; tries < WINNER_TRIES && upload && (UNFINISHED as readonly string[]).includes(upload.state); tries++) {
      await sleep(WINNER_PAUSE_MS);
      upload = await store.find(database, id);
    }
    if (upload?.state === 'done') return done(upload);
    if (upload && (UNFINISHED as readonly string[]).includes(upload.state)) throw new ApiFailure('unavailable');
    throw new ApiFailure(upload?.failure && upload.state === 'failed' ? upload.failure : 'upload_not_found');
  }

  /** As {@link answerOfWinner}; an area that was opened again after the upload had ended is closed. */
  async function yieldToWinner(id: string): Promise<Completed> {
    try {
      return await answerOfWinner(id);
    } finally {
      const now = await store.find(database, id);
      if (!now || !(UNFINISHED as readonly string[]).includes(now.state)) letGo(storage.discard(stagingIdOf(id)));
    }
  }

  /** The named parts, if they are what is held; throws {@link PartsRefused}. */
  async function choose(upload: UploadRow, named: readonly { number: number; etag: string }[]): Promise<PartRow[]> {
    checkOrder(named);
    const held = new Map((await parts.list(upload.id)).map((part) => [part.number, part]));
    return named.map(({ number, etag }) => {
      const part = held.get(number);
      if (!part || part.version !== etag) throw new PartsRefused('part', number);
      return part;
    });
  }

  async function claim(upload: UploadRow, named: readonly { number: number; etag: string }[]): Promise<void> {
    const chosen = await choose(upload, named);
    if (chosen.length === 0) throw new PartsRefused('part', 1);
    if (chosen.reduce((sum, part) => sum + part.size, 0) !== upload.size) return fail(upload, 'upload_size_mismatch');
    const storeKey = storeKeyOf(upload.id, ids.secret().toLowerCase());
    const plain = chosen.map(({ number, version, size }) => ({ number, version, size }));
    await database.transaction((tx) => store.claim(tx, upload.id, { storeKey, chosen: plain, now: clock.now() }));
  }

  async function keep(upload: UploadRow, storeKey: string, choices: readonly PartChoice[]): Promise<void> {
    const staging = await storage.stage(stagingIdOf(upload.id));
    try {
      await staging.keep(storeKey, choices);
    } catch (error) {
      if (!(error instanceof PartMissing)) throw error;
      // A write that was under way replaced a part after it was chosen: the client has to name what is held now.
      const reopened = await database.transaction((tx) => store.unclaim(tx, upload.id, storeKey));
      throw reopened ? new PartsRefused('part', error.number) : new StagingGone(upload.id);
    }
  }

  /** Carries out a claim, whoever made it. */
  async function carryOut(upload: UploadRow): Promise<Completed> {
    const { storeKey, chosen } = upload;
    const rows = new Map((await store.parts(database, upload.id)).map((part) => [`${part.number} ${part.version}`, part]));
    const landed = chosen!.map(({ number, version, size }): HashedPart => rows.get(`${number} ${version}`) ?? { size, position: undefined, digests: new Uint8Array() });
    try {
      await keep(upload, storeKey!, chosen!);
      return await finish(upload, 'completing', storeKey!, landed);
    } catch (error) {
      if (error instanceof StagingGone || error instanceof BlobNotFound) return yieldToWinner(upload.id);
      throw error;
    }
  }

  return {
    giveUp,
    giveUpIn,

    complete: (id, named) =>
      once(id, async () => {
        const upload = await store.find(database, id);
        const refused = upload?.state === 'open' ? await claim(upload, named).catch((error: unknown) => ({ error })) : undefined;
        const now = await store.find(database, id);
        if (now?.state === 'completing') return carryOut(now);
        // Parts that an abort took away meanwhile are not wrong, but gone.
        if (refused && now?.state === 'open') throw refused.error;
        return yieldToWinner(id);
      }),

    async putWhole(id, body) {
      const upload = await store.find(database, id);
      if (upload?.state === 'done') {
        for await (const _ of body.source); // who sends again gets the answer that was lost
        return done(upload);
      }
      if (upload?.state !== 'open') return answerOfWinner(id);
      if (body.size !== undefined && body.size !== upload.size) return fail(upload, 'upload_size_mismatch');
      try {
        const part = await parts.writeWhole(upload, body);
        const storeKey = storeKeyOf(id, part.version);
        const staging = await storage.stage(stagingIdOf(id));
        await staging.keep(storeKey, [part]);
        return await finish(upload, 'open', storeKey, [part]);
      } catch (error) {
        if (error instanceof SizeMismatch) return fail(upload, 'upload_size_mismatch');
        if (error instanceof StagingGone || error instanceof PartMissing) return yieldToWinner(id);
        throw error;
      }
    },

    async completeEmpty(upload) {
      const storeKey = storeKeyOf(upload.id, 'empty');
      const staging = await storage.stage(stagingIdOf(upload.id));
      await staging.keep(storeKey, []);
      return finish(upload, 'open', storeKey, []);
    },
  };
}
