import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, ERRORS, isApiFailure, type ErrorId } from '@bowerbird/contract';
import { identifyKept, type HashedPart, type Hashing } from '@bowerbird/ingest';
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
import type { Appearances } from './upload-appearance-service.ts';
import type { Endings } from './upload-ending-service.ts';
import type { PartBody, Parts } from './upload-part-service.ts';
import type { UploadStore } from './upload-store.ts';
import {
  checkOrder,
  PartsRefused,
  stagingIdOf,
  storeKeyOf,
  UNFINISHED,
  type PartRow,
  type UploadRow,
} from './upload.ts';

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
}

export interface CompletionDeps {
  readonly database: Database;
  readonly store: UploadStore;
  readonly storage: BlobStore;
  readonly hashing: Hashing;
  readonly parts: Parts;
  readonly endings: Endings;
  readonly appearances: Appearances;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** For how long who lost waits for the winner. */
const WINNER_TRIES = 40;
const WINNER_PAUSE_MS = 100;

export function createCompletions(deps: CompletionDeps): Completions {
  const { database, store, storage, hashing, parts, endings, appearances, clock, ids } = deps;
  const { giveUp, letGo } = endings;
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

  async function fail(upload: UploadRow, failure: ErrorId): Promise<never> {
    await giveUp(upload.id, { state: 'failed', failure });
    throw new ApiFailure(failure);
  }

  /** Identifies kept bytes and lets the file appear; refusals end the upload, faults leave it to be tried again. */
  async function finish(
    upload: UploadRow,
    from: 'open' | 'completing',
    storeKey: string,
    landed: readonly HashedPart[],
  ): Promise<Completed> {
    const content = await identifyKept(storage, storeKey, landed, hashing);
    let won: boolean;
    try {
      won = await appearances.appear(upload, from, { ...content, storeKey });
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

  /** As {@link answerOfWinner}; an area that was opened again after the upload had ended is closed. */
  async function yieldToWinner(id: string): Promise<Completed> {
    try {
      return await answerOfWinner(id);
    } finally {
      const now = await store.find(database, id);
      if (!now || !(UNFINISHED as readonly string[]).includes(now.state))
        letGo(storage.discard(stagingIdOf(id)));
    }
  }

  /** The named parts, if they are what is held; throws {@link PartsRefused}. */
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

  async function claim(upload: UploadRow, named: readonly { number: number; etag: string }[]): Promise<void> {
    const chosen = await choose(upload, named);
    if (chosen.length === 0) throw new PartsRefused('part', 1);
    if (chosen.reduce((sum, part) => sum + part.size, 0) !== upload.size)
      return fail(upload, 'upload_size_mismatch');
    const storeKey = storeKeyOf(upload.id, ids.secret().toLowerCase());
    const plain = chosen.map(({ number, version, size }) => ({ number, version, size }));
    await database.transaction((tx) =>
      store.claim(tx, upload.id, { storeKey, chosen: plain, now: clock.now() }),
    );
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
    const rows = new Map(
      (await store.parts(database, upload.id)).map((part) => [`${part.number} ${part.version}`, part]),
    );
    const landed = chosen!.map(
      ({ number, version, size }): HashedPart =>
        rows.get(`${number} ${version}`) ?? { size, position: undefined, digests: new Uint8Array() },
    );
    try {
      await keep(upload, storeKey!, chosen!);
      return await finish(upload, 'completing', storeKey!, landed);
    } catch (error) {
      if (error instanceof StagingGone || error instanceof BlobNotFound) return yieldToWinner(upload.id);
      throw error;
    }
  }

  return {
    complete: (id, named) =>
      once(id, async () => {
        const upload = await store.find(database, id);
        const refused =
          upload?.state === 'open'
            ? await claim(upload, named).catch((error: unknown) => ({ error }))
            : undefined;
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
