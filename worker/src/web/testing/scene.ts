import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FetchFailure, KeptFile, SourceFacts, WebSpec } from '@bowerbird/contract';
import { createDigests, createPieceMemory } from '@bowerbird/ingest';
import { openBlobStore, type BlobStore } from '@bowerbird/storage';
import { FetchFailed, type Engine, type FetchProgress } from '../../fetch/engine.ts';
import { createRateLimit } from '../../fetch/rate-limit.ts';
import { createStoring } from '../../fetch/storing.ts';
import { readTorrent } from '../../torrent/torrent-file.ts';
import { DEFAULT_TIMEOUTS, type Timeouts } from '../timeouts.ts';
import { createWebEngine } from '../index.ts';

/** An engine with its own storage, in this process and without the guard. */
export interface Scene {
  readonly engine: Engine;
  readonly storage: BlobStore;
  inspect(spec: string | Partial<WebSpec>): Promise<SourceFacts>;
  fetch(spec: string | Partial<WebSpec>, options?: Run): Promise<Outcome>;
  /** Returns the names of staged files that were left behind. */
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
}

export interface Run {
  readonly id?: string;
  readonly resume?: unknown;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FetchProgress) => void;
}

export interface Outcome {
  readonly id: string;
  readonly facts: SourceFacts[];
  readonly kept: KeptFile | undefined;
  /** SHA-256 of the kept file. */
  readonly sha256: string | undefined;
  readonly resume: unknown;
  readonly progress: FetchProgress[];
  readonly failure: FetchFailure | undefined;
  readonly error: unknown;
}

export async function createScene(
  timeouts: Partial<Timeouts> = {},
  rate: number | null = null,
): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-web-'));
  const storage = await openBlobStore(join(folder, 'storage'));
  const digests = createDigests(1);
  const hashing = { digests, memory: createPieceMemory() };
  const engine = createWebEngine({
    storage,
    hashing,
    storing: createStoring(storage, hashing),
    rate: createRateLimit(rate),
    readTorrent,
    timeouts: { ...DEFAULT_TIMEOUTS, pauseMs: 20, ...timeouts },
  });
  const specOf = (spec: string | Partial<WebSpec>): WebSpec =>
    typeof spec === 'string' ? { kind: 'web', url: spec } : ({ kind: 'web', ...spec } as WebSpec);

  return {
    engine,
    storage,
    inspect: (spec) => engine.inspect(specOf(spec), AbortSignal.timeout(10_000)),
    async fetch(spec, options = {}) {
      const { id = randomBytes(8).toString('hex'), maxBytes = 2 ** 40, onProgress } = options;
      const { resume = null, signal = new AbortController().signal } = options;
      const facts: SourceFacts[] = [];
      const progress: FetchProgress[] = [];
      let kept: KeptFile | undefined;
      let state: unknown = resume;
      const job = { id, spec: specOf(spec), generation: 1, kept: new Set<number>(), resume, maxBytes };
      const wanted = { has: () => true, onChange: () => {} };
      const error: unknown = await engine
        .fetch(
          { ...job, wanted },
          {
            facts: (found) => facts.push(found),
            progress(moved) {
              progress.push(moved);
              onProgress?.(moved);
            },
            resume: (next) => void (state = next),
            kept: (_, file) => void (kept = file),
            failed: () => {},
          },
          signal,
        )
        .then(
          () => undefined,
          (reason: unknown) => reason,
        );
      const failure = error instanceof FetchFailed ? error.failure : undefined;
      const sha256 = kept && (await sha256Of(storage, kept.storeKey));
      return { id, facts, kept, sha256, resume: state, progress, failure, error };
    },
    async leftovers() {
      const names: string[] = [];
      for (const area of ['incoming', 'staged', 'keeping'])
        for (const name of await readdir(join(folder, 'storage', area), { recursive: true }))
          names.push(name);
      return names;
    },
    async close() {
      await engine.close();
      await digests.close();
      await storage.close();
      await rm(folder, { recursive: true });
    },
  };
}

export async function sha256Of(storage: BlobStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  const { stream } = await storage.open(key);
  for await (const chunk of stream) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
