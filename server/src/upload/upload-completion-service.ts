import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, type ErrorId } from '@bowerbird/contract';
import {
  assembleBlocks,
  digestsOf,
  identifyKept,
  type Checksums,
  type HashedPart,
  type Hashing,
} from '@bowerbird/ingest';
import {
  BlobNotFound,
  PartMissing,
  SizeMismatch,
  StagingGone,
  type BlobStore,
  type PartChoice,
} from '@bowerbird/storage';
import type { Database } from '../foundation/database/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import type { Publishing } from './upload-publish-service.ts';
import type { Aborting } from './upload-abort-service.ts';
import type { PartBody, Parts, WholePart } from './upload-part-service.ts';
import type { SmallBodies } from './upload-small-service.ts';
import type { UploadPartStore } from './upload-part-store.ts';
import type { UploadStore } from './upload-store.ts';
import {
  checkOrder,
  CLAIM_IDLE_MS,
  PartsRefused,
  sameAs,
  stagingIdOf,
  storeKeyOf,
  UNFINISHED,
  type ChosenPart,
  type Completed,
  type PartRow,
  type UploadRow,
} from './upload.ts';

export interface Completions {
  /** Completes an upload from the named parts. Parallel and repeated requests get the same response. */
  complete(upload: string, named: readonly { number: number; etag: string }[]): Promise<Completed>;
  /**
   * Completes an upload, as it was read a moment ago, from one body. Sending the same body again returns the same
   * response; another body for a ticket that already has its file is rejected with `already_exists`.
   */
  putWhole(upload: UploadRow | undefined, body: PartBody): Promise<Completed>;
  /** Completes an earlier claim, perhaps of a process that has died. */
  resume(upload: string): Promise<Completed>;
}

export interface CompletionDeps {
  readonly database: Database;
  readonly store: UploadStore;
  readonly partStore: UploadPartStore;
  readonly storage: BlobStore;
  readonly hashing: Hashing;
  readonly parts: Parts;
  readonly aborting: Aborting;
  readonly publishing: Publishing;
  readonly smallBodies: SmallBodies;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Number of checks with which a losing request waits for the winner. */
const WINNER_TRIES = 40;
const WINNER_PAUSE_MS = 100;
/** Interval at which the row of a running claim is updated: well below {@link CLAIM_IDLE_MS}. */
const STILL_AT_IT_MS = CLAIM_IDLE_MS / 3;

export function createCompletions(deps: CompletionDeps): Completions {
  const { database, store, partStore, storage, hashing, parts, aborting, publishing, clock, ids } = deps;
  const { smallBodies } = deps;
  const { giveUp, letGo } = aborting;
  const underWay = new Map<string, Promise<Completed>>();

  /**
   * Runs work of an upload once for parallel requests in this process. Other processes are coordinated by the
   * rows.
   */
  function once(upload: string, work: () => Promise<Completed>): Promise<Completed> {
    const known = underWay.get(upload);
    if (known) return known;
    const doing = work().finally(() => underWay.delete(upload));
    underWay.set(upload, doing);
    return doing;
  }

  const done = (upload: UploadRow): Completed => ({ hash: upload.hash!, size: upload.size });

  async function fail(upload: UploadRow, failure: ErrorId): Promise<never> {
    await giveUp(upload.id, { state: 'failed', failure });
    throw new ApiFailure(failure);
  }

  /** Identifies kept bytes and publishes the file. */
  async function finish(
    upload: UploadRow,
    storeKey: string,
    landed: readonly HashedPart[],
    checksums: Checksums | undefined,
  ): Promise<Completed> {
    const content = await identifyKept(storage, storeKey, landed, hashing);
    const won = await publishing.appear(upload, { ...content, size: upload.size, storeKey, checksums });
    return won ? { hash: content.hash, size: upload.size } : answerOfWinner(upload.id);
  }

  /** Result of an upload that another request has ended or is about to end. */
  async function answerOfWinner(id: string): Promise<Completed> {
    let upload = await store.find(database, id);
    for (
      let tries = 0;
      tries < WINNER_TRIES && upload && (UNFINISHED as readonly string[]).includes(upload.state);
      tries++
    ) {
      await sleep(WINNER_PAUSE_MS);
      upload = await store.find(database, id);
    }
    if (upload?.state === 'done') return done(upload);
    if (upload && (UNFINISHED as readonly string[]).includes(upload.state))
      throw new ApiFailure('unavailable');
    throw new ApiFailure(upload?.failure && upload.state === 'failed' ? upload.failure : 'upload_not_found');
  }

  /** Same as {@link answerOfWinner}; a staging area reopened after the end of the upload is discarded. */
  async function yieldToWinner(id: string): Promise<Completed> {
    try {
      return await answerOfWinner(id);
    } finally {
      const now = await store.find(database, id);
      if (!now || !(UNFINISHED as readonly string[]).includes(now.state))
        letGo(storage.discard(stagingIdOf(id)));
    }
  }

  /** Returns the named parts if they match the held ones; throws {@link PartsRefused}. */
  async function choose(
    upload: UploadRow,
    named: readonly { number: number; etag: string }[],
  ): Promise<PartRow[]> {
    checkOrder(named);
    const held = new Map((await parts.list(upload.id)).map((part) => [part.number, part]));
    return named.map(({ number, etag }) => {
      const part = held.get(number);
      if (!part || part.version !== etag) throw new PartsRefused('part', number);
      return part;
    });
  }

  /**
   * Records the parts of the file and their key before they are kept: any process can continue from then on.
   * Returns false if the upload is no longer open. Not flushed: a claim lost in a power cut is made again.
   */
  async function claim(upload: UploadRow, chosen: readonly ChosenPart[]): Promise<boolean> {
    const storeKey = storeKeyOf(upload.id, ids.secret().toLowerCase());
    const plain = chosen.map(({ number, version, size }) => ({ number, version, size }));
    return database.transaction(
      (tx) => store.claim(tx, upload.id, { storeKey, chosen: plain, now: clock.now() }),
      { durable: false },
    );
  }

  async function claimNamed(
    upload: UploadRow,
    named: readonly { number: number; etag: string }[],
  ): Promise<void> {
    const chosen = await choose(upload, named);
    if (chosen.length === 0) throw new PartsRefused('part', 1);
    if (chosen.reduce((sum, part) => sum + part.size, 0) !== upload.size)
      return fail(upload, 'upload_size_mismatch');
    await claim(upload, chosen);
  }

  async function keep(upload: UploadRow, storeKey: string, choices: readonly PartChoice[]): Promise<void> {
    const staging = await storage.stage(stagingIdOf(upload.id));
    try {
      await staging.keep(storeKey, choices);
    } catch (error) {
      if (!(error instanceof PartMissing)) throw error;
      // A running write replaced a part after it was selected: the client has to name the current one.
      const reopened = await database.transaction((tx) => store.unclaim(tx, upload.id, storeKey));
      throw reopened ? new PartsRefused('part', error.number) : new StagingGone(upload.id);
    }
  }

  /** Prevents other processes from taking over a claim while this one is working on it. */
  async function stillAtIt<R>({ id }: UploadRow, work: () => Promise<R>): Promise<R> {
    const telling = setInterval(() => {
      // If this fails, another process may do the same work, which is harmless.
      database.transaction((tx) => store.touchClaim(tx, id, clock.now()), { durable: false }).catch(() => {});
    }, STILL_AT_IT_MS);
    return work().finally(() => clearInterval(telling));
  }

  /** Completes a claim, whichever process made it; `whole` is its only part if it arrived in this request. */
  async function carryOut(upload: UploadRow, whole?: WholePart): Promise<Completed> {
    const { storeKey, chosen } = upload;
    try {
      return await stillAtIt(upload, async () => {
        await keep(upload, storeKey!, chosen!);
        return finish(upload, storeKey!, whole ? [whole] : await notedOf(upload), whole?.checksums);
      });
    } catch (error) {
      if (error instanceof StagingGone || error instanceof BlobNotFound) return yieldToWinner(upload.id);
      throw error;
    }
  }

  async function notedOf({ id, chosen }: UploadRow): Promise<HashedPart[]> {
    const rows = new Map(
      (await partStore.list(database, id)).map((part) => [`${part.number} ${part.version}`, part]),
    );
    return chosen!.map(
      ({ number, version, size }) =>
        rows.get(`${number} ${version}`) ?? { size, position: undefined, digests: new Uint8Array() },
    );
  }

  /** Completes the current claim of an upload; returns the result of its end if it has none. */
  async function carryOutCurrent(id: string): Promise<Completed> {
    const now = await store.find(database, id);
    return now?.state === 'completing' ? carryOut(now) : yieldToWinner(id);
  }

  /**
   * Completes an upload from a body that has arrived; its part doesn't count if another was claimed before.
   */
  async function completeWhole(upload: UploadRow, part: WholePart): Promise<Completed> {
    const claimed = await claim(upload, [part]);
    const now = claimed ? await store.find(database, upload.id) : undefined;
    if (now?.state === 'completing' && now.chosen?.[0]?.version === part.version)
      return once(upload.id, () => carryOut(now, part));
    return sameAs(await resume(upload.id), completedOf(part));
  }

  /** Returns the previous or upcoming response to a sender of the same body. */
  async function answerAgain(upload: UploadRow, { source, size }: PartBody): Promise<Completed> {
    const whole = upload.state === 'completing' ? await resume(upload.id) : await answerOfWinner(upload.id);
    if (size !== undefined && size !== whole.size) throw new ApiFailure('already_exists');
    return sameAs(whole, completedOf(await digestsOf(source, whole.size, hashing)));
  }

  const resume = (id: string): Promise<Completed> => once(id, () => carryOutCurrent(id));

  return {
    resume,

    complete: (id, named) =>
      once(id, async () => {
        const upload = await store.find(database, id);
        const refused =
          upload?.state === 'open'
            ? await claimNamed(upload, named).catch((error: unknown) => ({ error }))
            : undefined;
        const now = await store.find(database, id);
        if (now?.state === 'completing') return carryOut(now);
        // Parts deleted by an abort in the meantime are not wrong, but gone.
        if (refused && now?.state === 'open') throw refused.error;
        return yieldToWinner(id);
      }),

    async putWhole(upload, body) {
      if (!upload) throw new ApiFailure('upload_not_found');
      const { id } = upload;
      if (upload.state !== 'open') return answerAgain(upload, body);
      if (body.size !== undefined && body.size !== upload.size) return fail(upload, 'upload_size_mismatch');
      let came: HashedPart | undefined;
      try {
        if (smallBodies.fits(upload) && !parts.isReceiving(id)) {
          const { isWinner, ...content } = await smallBodies.complete(
            upload,
            parts.stillHere(id, body.source),
          );
          return isWinner ? content : sameAs(await resume(id), content);
        }
        const part = await parts.writeWhole(upload, body, (whole) => (came = whole));
        return await completeWhole(upload, part);
      } catch (error) {
        if (error instanceof SizeMismatch) return fail(upload, 'upload_size_mismatch');
        if (error instanceof StagingGone) return sameAs(await yieldToWinner(id), came && completedOf(came));
        // The storage lost the body before it was kept: it has to be sent again.
        if (error instanceof PartsRefused) throw new ApiFailure('unavailable');
        throw error;
      }
    },
  };
}

const completedOf = (part: HashedPart): Completed => ({
  hash: assembleBlocks([part]).content().hash,
  size: part.size,
});
