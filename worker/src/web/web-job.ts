import type { FetchStep, KeptFile, SourceFacts, WebSpec } from '@bowerbird/contract';
import type { Hashing } from '@bowerbird/ingest';
import { StorageFull, type BlobStore } from '@bowerbird/storage';
import { FetchFailed, placeOf, type FetchJob, type FetchReport } from '../fetch/engine.ts';
import type { RateLimit } from '../fetch/rate-limit.ts';
import { createSpeedMeter } from '../fetch/speed.ts';
import type { Storing } from '../fetch/storing.ts';
import { createAsking, LedToMagnet, type Answer } from './asking.ts';
import type { Reading } from './body.ts';
import { fetchParts, fetchStream, type HeldPart, type Tally } from './fetching.ts';
import { layoutOf, usableParts } from './layout.ts';
import { openWhole, type Opened } from './opening.ts';
import type { Patience } from './patience.ts';
import { readResume, type Resume, type StagedVersion } from './resume.ts';
import { Spoiled } from './setback.ts';
import { sourceName } from './source-name.ts';
import { factsOf } from './source.ts';
import { createStretches } from './stretch.ts';
import { factsOfMagnet, seemsTorrent, torrentBehind } from './torrent-behind.ts';
import { createTrials } from './trials.ts';

/** Connections at once. More would be rude, and no faster. */
const LANES = 4;
const PROGRESS_MS = 500;

export interface WebDeps {
  readonly storage: BlobStore;
  readonly hashing: Hashing;
  readonly storing: Storing;
  readonly rate: RateLimit;
  readonly readTorrent: (bytes: Uint8Array) => SourceFacts;
  readonly patience?: Patience;
}

type Deps = WebDeps & { readonly patience: Patience; readonly signal: AbortSignal };

/** Fetches one source, from whatever an earlier run left of it. */
export async function runWebJob(
  spec: WebSpec,
  job: FetchJob,
  report: FetchReport,
  { storage, hashing, storing, rate, readTorrent, patience, signal }: Deps,
): Promise<void> {
  const requested = new URL(spec.url);
  const { staging: area, key } = placeOf(job.id, job.generation, 0);
  const reading: Reading = { patience, rate, signal };
  const asking = createAsking(spec, patience, LANES);
  const meter = createSpeedMeter();
  const before = readResume(job.resume);
  let staged = before?.staged ?? null;
  let received = 0;
  /** Undefined until it is known what an earlier run left: nothing is told before, so that no progress seems lost. */
  let step: FetchStep | undefined;

  const tally: Tally = {
    arrived(bytes) {
      received += bytes;
      meter.add(bytes);
    },
    lost(bytes) {
      received -= bytes;
    },
  };
  function tell(): void {
    if (step === undefined) return;
    const speed = step === 'storing' ? 0 : meter.speed();
    report.progress({ step, received, speed, files: new Map([[0, received]]) });
  }
  const telling = setInterval(tell, PROGRESS_MS);

  /** Begins anew with another version, on the word of one connection: origins with many heads may contradict each other. */
  async function fetchAny(): Promise<readonly HeldPart[] | undefined> {
    const trials = createTrials(patience, signal);
    for (let changes = 0; ;) {
      try {
        return await fetchOnce(changes === 0);
      } catch (error) {
        if (error instanceof LedToMagnet) {
          report.facts(factsOfMagnet(error.magnet));
          return undefined;
        }
        if (error instanceof Spoiled) {
          staged = null;
          received = 0;
          changes += 1;
          if (changes > 1) throw new FetchFailed('source_changed', { cause: error });
        } else await trials.after(error);
      }
    }
  }

  async function fetchOnce(isFirst: boolean): Promise<readonly HeldPart[] | undefined> {
    const lanes = isFirst ? LANES : 1;
    if (staged) return fetchRest(staged, lanes, undefined);
    await storage.discard(area);
    step = 'resolving';
    const opened = await openWhole(asking, requested, signal);
    try {
      return await fetchOpened(opened, lanes, isFirst);
    } finally {
      opened.answer.letGo();
    }
  }

  /** `promised`: whether an origin is believed that gives the whole file and says that it could give ranges. */
  async function fetchOpened(
    opened: Opened,
    lanes: number,
    promised: boolean,
  ): Promise<readonly HeldPart[] | undefined> {
    const { answer, source } = opened;
    if (seemsTorrent(opened, requested)) {
      const torrent = await torrentBehind(asking, requested, reading, readTorrent);
      if (torrent) {
        report.facts(torrent);
        return undefined;
      }
    }
    const facts = factsOf(source);
    report.facts(facts);
    const { size, tag, version } = source;
    refuseLarge(size);
    const givesRanges = answer.status === 206 || (promised && source.promisesRanges);
    if (givesRanges && size !== null && size > 0 && tag !== undefined && version !== undefined) {
      const { cell: partSize } = layoutOf(size);
      staged = { size, tag, version, partSize };
      report.resume({ facts, staged } satisfies Resume);
      return fetchRest(staged, lanes, answer);
    }
    report.resume({ facts, staged } satisfies Resume);
    step = 'fetching';
    await refuseUnstorable(size ?? 0);
    const staging = await storage.stage(area);
    return fetchStream(opened, job.maxBytes, reading, { staging, hashing, tally });
  }

  async function fetchRest(
    { size, partSize, ...version }: StagedVersion,
    lanes: number,
    first: Answer | undefined,
  ): Promise<readonly HeldPart[]> {
    refuseLarge(size);
    const layout = layoutOf(size, partSize);
    const staging = await storage.stage(area);
    const there = usableParts(layout, await staging.parts());
    received = there.reduce((sum, part) => sum + part.size, 0);
    await refuseUnstorable(size - received);
    step = 'fetching';
    tell();
    const stretches = (until: AbortSignal) =>
      createStretches(asking, requested, { size, ...version }, { ...reading, signal: until });
    const options = { lanes, first, signal };
    return fetchParts(layout, there, stretches, options, { staging, hashing, tally });
  }

  function refuseLarge(size: number | null): void {
    if (size !== null && size > job.maxBytes)
      throw new FetchFailed('source_too_large', { final: true, facts: { size: String(size) } });
  }

  /** What can't be stored isn't fetched half-way. */
  async function refuseUnstorable(bytes: number): Promise<void> {
    const free = await storage.freeSpace();
    if (free !== null && free < bytes) throw new StorageFull();
  }

  async function keep(parts: readonly HeldPart[]): Promise<KeptFile> {
    step = 'storing';
    tell();
    const staging = await storage.stage(area);
    await staging.keep(
      key,
      parts.map(({ number, size, version }) => ({ number, size, version })),
    );
    return storing.identify(key, parts, signal);
  }

  /** What an earlier run had kept, and could not say any more. */
  async function keptBefore(): Promise<boolean> {
    const file = await storing.found(job.id, job.generation, 0, signal);
    if (!file) return false;
    if (!before)
      report.facts(
        factsOf({
          version: undefined,
          name: sourceName(undefined, requested),
          size: file.size,
          modifiedAt: undefined,
        }),
      );
    report.kept(0, file);
    return true;
  }

  try {
    if (before) report.facts(before.facts);
    if (job.kept.has(0) || !job.wanted.has(0) || (await keptBefore())) return;
    const parts = await fetchAny();
    if (parts) report.kept(0, await keep(parts));
  } finally {
    clearInterval(telling);
    await asking.close();
  }
}
