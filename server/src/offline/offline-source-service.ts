import type { FetchFailure, FetchSpec, SourceFacts } from '@bowerbird/contract';
import type { Blobs } from '../drive/index.ts';
import type { Sql, Tx } from '../foundation/database/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import { keyOf } from './link.ts';
import type { SourceFileRow, SourceRow } from './offline.ts';
import type { SourceFileStore } from './source-file-store.ts';
import type { SourceStore } from './source-store.ts';

/** Manages sources and their facts. Every change of a source holds its lock. */
export interface Sources {
  /** Returns the source of a spec, creating it if needed. Saves a torrent's file as soon as it is known. */
  ensure(tx: Tx, account: string, spec: FetchSpec): Promise<SourceRow>;
  /** Saves the facts of a source. Discards the files of an earlier version. */
  recordFacts(tx: Tx, id: string, facts: SourceFacts): Promise<SourceRow>;
  /** Saves the failure of an inspection. */
  recordFailure(tx: Tx, id: string, failure: FetchFailure): Promise<void>;
  /** Puts a requested source into the queue. */
  queue(tx: Tx, id: string, priority: number): Promise<void>;
  /** Returns the kept files whose bytes still exist. All others have to be fetched again. */
  kept(sql: Sql, files: readonly SourceFileRow[]): Promise<Map<number, { hash: string; size: number }>>;
  lock(tx: Tx, id: string): Promise<void>;
}

/** Returns the spec that fetches the source of these facts. */
export function specOf(spec: FetchSpec, facts: SourceFacts): FetchSpec {
  if (facts.kind !== 'torrent' || !facts.torrent) return spec;
  const { infoHash, magnet, file } = facts.torrent;
  return { kind: 'torrent', infoHash, magnet, ...(file === '' ? {} : { torrent: file }) };
}

export function createSources({
  store,
  fileStore,
  blobs,
  clock,
  ids,
}: {
  store: SourceStore;
  fileStore: SourceFileStore;
  blobs: Blobs;
  clock: Clock;
  ids: Ids;
}): Sources {
  const lock = (tx: Tx, id: string): Promise<void> => tx.lock(`source:${id}`);
  const sources: Sources = {
    lock,

    async ensure(tx, account, spec) {
      const key = keyOf(spec, account);
      await store.insert(tx, { id: ids.next(), key, spec, now: clock.now() });
      const row = (await store.byKey(tx, key))!;
      if (spec.kind === 'torrent' && spec.torrent !== undefined && !row.facts)
        await store.setSpec(tx, row.id, spec);
      return row;
    },

    async recordFacts(tx, id, facts) {
      await lock(tx, id);
      const now = clock.now();
      const row = (await store.find(tx, id))!;
      const spec = await store.spec(tx, id);
      if (facts.torrent && spec?.kind === 'torrent' && spec.torrent === undefined)
        await store.setSpec(tx, id, specOf(spec, facts));
      const sizes = facts.files.map(({ size }) => size);
      const size = sizes.includes(null) ? null : sizes.reduce<number>((sum, bytes) => sum + bytes!, 0);
      const isSame =
        row.facts !== undefined &&
        (row.kind === 'torrent' || (facts.validator !== undefined && facts.validator === row.validator));
      if (!isSame) {
        await fileStore.clear(tx, id);
        await fileStore.add(tx, id, facts.files);
      }
      await store.update(
        tx,
        id,
        {
          name: facts.name,
          size,
          file_count: facts.files.length,
          validator: facts.validator ?? null,
          // Metadata from peers has no date, but an earlier .torrent file may have had one.
          modified_at: facts.modifiedAt ?? (row.kind === 'torrent' ? (row.modifiedAt ?? null) : null),
          failure: null,
          looked_at: now,
        },
        now,
      );
      return (await store.find(tx, id))!;
    },

    async recordFailure(tx, id, failure) {
      const now = clock.now();
      await store.update(tx, id, { failure, looked_at: now }, now);
    },

    async queue(tx, id, priority) {
      await lock(tx, id);
      const row = (await store.find(tx, id))!;
      const now = clock.now();
      if (row.state !== 'idle') {
        await store.update(
          tx,
          id,
          { not_before: 0, attempts: row.state === 'queued' ? 0 : row.attempts },
          now,
        );
        return;
      }
      // The key of the last generation now belongs to a kept file, so new bytes need a new key.
      const isDone = (await fileStore.after(tx, id, -1, 1))[0]?.state === 'kept';
      const generation = row.kind === 'web' && isDone ? row.generation + 1 : row.generation;
      await store.update(
        tx,
        id,
        {
          state: 'queued',
          generation,
          priority,
          queued_at: now,
          not_before: 0,
          attempts: 0,
          failure: null,
          ...(generation === row.generation ? {} : { resume: null }),
        },
        now,
      );
    },

    async kept(sql, files) {
      const found = new Map<number, { hash: string; size: number }>();
      for (const { position, state, hash, size } of files) {
        if (state !== 'kept' || hash === undefined || size === undefined) continue;
        if (await blobs.byHash(sql, hash, size)) found.set(position, { hash, size });
      }
      return found;
    },
  };
  return sources;
}
