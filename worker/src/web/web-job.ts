import type { FetchStep, KeptFile, SourceFacts, WebSpec } from '@bowerbird/contract';
import type { Hashing } from '@bowerbird/ingest';
import { StorageFull, type BlobStore } from '@bowerbird/storage';
import { FetchFailed, placeOf, type FetchJob, type FetchReport } from '../fetch/engine.ts';
import type { RateLimit } from '../fetch/rate-limit.ts';
import { createSpeedMeter } from '../fetch/speed.ts';
import type { Storing } from '../fetch/storing.ts';
import { createHttpSession, LedToMagnet, type HttpResponse } from './http-session.ts';
import type { BodyOptions } from './body.ts';
import { fetchParts, fetchStream, type HeldPart, type Tally } from './fetching.ts';
import { layoutOf, usableParts } from './layout.ts';
import { requestWhole, type FirstResponse } from './first-request.ts';
import type { Timeouts } from './timeouts.ts';
import { readResume, type Resume, type StagedVersion } from './resume.ts';
import { VersionChanged } from './fetch-errors.ts';
import { sourceName } from './source-name.ts';
import { factsOf } from './source.ts';
import { createRangeRequests } from './range-requests.ts';
import { factsOfMagnet, seemsTorrent, torrentBehind } from './torrent-behind.ts';
import { createRetries } from './retries.ts';

/** Connections to one origin. More would be impolite, and no faster. */
const LANES = 4;
const PROGRESS_MS = 500;

export interface WebDeps {
  readonly storage: BlobStore;
  readonly hashing: Hashing;
  readonly storing: Storing;
  readonly rate: RateLimit;
  readonly readTorrent: (bytes: Uint8Array) => SourceFacts;
  readonly timeouts?: Timeouts;
}

type Deps = WebDeps & { readonly timeouts: Timeouts; readonly signal: AbortSignal };

/** Fetches one source, continuing from the bytes that an earlier run staged. */
export async function runWebJob(
  spec: WebSpec,
  job: FetchJob,
  report: FetchReport,
  { storage, hashing, storing, rate, readTorrent, timeouts, signal }: Deps,
): Promise<void> {
  const requested = new URL(spec.url);
  const { staging: area, key } = placeOf(job.id, job.generation, 0);
  const reading: BodyOptions = { timeouts, rate, signal };
  const session = createHttpSession(spec, timeouts, LANES);
  const meter = createSpeedMeter();
  const before = readResume(job.resume);
  let staged = before?.staged ?? null;
  let received = 0;
  /**
   * Undefined until the staged bytes of an earlier run are known: no progress is reported before, so that none seems
   * lost.
   */
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

  /**
   * Starts over once if the version changes, then with one connection: servers of one origin may disagree on the
   * version.
   */
  async function fetchAny(): Promise<readonly HeldPart[] | undefined> {
    const retries = createRetries(timeouts, signal);
    for (let changes = 0; ;) {
      try {
        return await fetchOnce(changes === 0);
      } catch (error) {
        if (error instanceof LedToMagnet) {
          report.facts(factsOfMagnet(error.magnet));
          return undefined;
        }
        if (error instanceof VersionChanged) {
          staged = null;
          received = 0;
          changes += 1;
          if (changes > 1) throw new FetchFailed('source_changed', { cause: error });
        } else await retries.after(error);
      }
    }
  }

  async function fetchOnce(isFirst: boolean): Promise<readonly HeldPart[] | undefined> {
    const lanes = isFirst ? LANES : 1;
    if (staged) return fetchRest(staged, lanes, undefined);
    await storage.discard(area);
    step = 'resolving';
    const opened = await requestWhole(session, requested, signal);
    try {
      return await fetchOpened(opened, lanes, isFirst);
    } finally {
      opened.response.discard();
    }
  }

  /** If `promised` is true, range support that a full response announces is believed. */
  async function fetchOpened(
    opened: FirstResponse,
    lanes: number,
    promised: boolean,
  ): Promise<readonly HeldPart[] | undefined> {
    const { response, source } = opened;
    if (seemsTorrent(opened, requested)) {
      const torrent = await torrentBehind(session, requested, reading, readTorrent);
      if (torrent) {
        report.facts(torrent);
        return undefined;
      }
    }
    const facts = factsOf(source);
    report.facts(facts);
    const { size, tag, version } = source;
    refuseLarge(size);
    const givesRanges = response.status === 206 || (promised && source.promisesRanges);
    if (givesRanges && size !== null && size > 0 && tag !== undefined && version !== undefined) {
      const { cell: partSize } = layoutOf(size);
      staged = { size, tag, version, partSize };
      report.resume({ facts, staged } satisfies Resume);
      return fetchRest(staged, lanes, response);
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
    first: HttpResponse | undefined,
  ): Promise<readonly HeldPart[]> {
    refuseLarge(size);
    const layout = layoutOf(size, partSize);
    const staging = await storage.stage(area);
    const there = usableParts(layout, await staging.parts());
    received = there.reduce((sum, part) => sum + part.size, 0);
    await refuseUnstorable(size - received);
    step = 'fetching';
    tell();
    const rangeRequests = (until: AbortSignal) =>
      createRangeRequests(session, requested, { size, ...version }, { ...reading, signal: until });
    const options = { lanes, first, signal };
    return fetchParts(layout, there, rangeRequests, options, { staging, hashing, tally });
  }

  function refuseLarge(size: number | null): void {
    if (size !== null && size > job.maxBytes)
      throw new FetchFailed('source_too_large', { final: true, facts: { size: String(size) } });
  }

  /** Fails before the download if the storage has too little space. */
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

  /** Reports a file that an earlier run kept but did not report. Returns whether there was one. */
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
    await session.close();
  }
}
