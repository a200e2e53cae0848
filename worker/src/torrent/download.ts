import { setTimeout as sleep } from 'node:timers/promises';
import { StorageFull, type Room } from '@bowerbird/storage';
import { FetchFailed, type FetchJob, type FetchReport } from '../fetch/engine.ts';
import type { Storing } from '../fetch/storing.ts';
import type { Client } from './client.ts';
import { createLayout } from './layout.ts';
import { createFileProgress, rangesOf } from './file-progress.ts';
import { openScratch } from './scratch.ts';
import { joinSwarm, type Swarm } from './swarm.ts';
import type { Torrent } from './torrent-file.ts';

export interface DownloadOptions {
  readonly job: FetchJob;
  readonly torrent: Torrent;
  readonly report: FetchReport;
  readonly signal: AbortSignal;
  /** The job's own folder; files of an earlier run in it are reused. */
  readonly folder: string;
  readonly storing: Storing;
  /** Free space on the disk with `folder`. */
  readonly room: Room;
  readonly seed: { readonly ratio: number; readonly minutes: number };
  readonly timeouts: Timeouts;
  readonly client: Client;
  readonly knownPeers: readonly string[];
}

/** Timeouts after which a download fails. */
export interface Timeouts {
  /** Without peers and without new data. */
  readonly aloneMs: number;
  /** Without new data, even with peers. */
  readonly stalledMs: number;
}

const TICK_MS = 1000;
const MOST_STORING = 2;
/** webtorrent scans all selected ranges again and again, so only this many are selected at a time. */
const MOST_RANGES = 64;
const FEW_RANGES = 16;
/** Above this amount of received but unwritten bytes, no more pieces are requested. */
const FULL_BYTES = 128 * 1024 * 1024;
const MINUTE_MS = 60_000;

/** Fetches the wanted files of a torrent into the storage. Resolves when all are kept and seeding is finished. */
export async function download(options: DownloadOptions): Promise<void> {
  const { job, torrent, report, folder, storing, room, seed, timeouts, client, knownPeers } = options;
  const layout = createLayout(torrent);
  const { files } = torrent;
  const kept = new Set(job.kept);
  const isWanted = (file: number): boolean => !files[file]!.filler && job.wanted.has(file);
  const wanted = (): number[] => [...files.keys()].filter(isWanted);
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const fail = (error: unknown): void => ending.abort(error);

  checkSize();
  const scratch = await openScratch(
    folder,
    torrent,
    layout,
    wanted().filter((file) => !kept.has(file)),
    signal,
  );
  const fileProgress = createFileProgress(torrent, layout, scratch.found);
  const gives = seed.ratio > 0 && seed.minutes > 0;
  /** Files that are wanted and not kept; of these, `ready` are complete and `storingNow` are being stored. */
  let open = new Set<number>();
  const ready = new Set<number>();
  const storingNow = new Map<number, Promise<void>>();
  let swarm: Promise<Swarm> | undefined;
  let present: Swarm | undefined;
  let unwritten = 0;
  let isFull = false;
  let hasMore = false;
  let lastNews = Date.now();
  let lastCompany = Date.now();
  /** Received bytes of unfinished files that changed. */
  const moved = new Map<number, number>();
  let settled = Promise.withResolvers<void>();

  function checkSize(): void {
    const size = wanted().reduce((sum, file) => sum + files[file]!.size, 0);
    if (size > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
  }

  /** Reports files that an earlier run kept but did not report before it ended. */
  async function findKept(): Promise<void> {
    const { id, generation } = job;
    const unknown = wanted().filter((file) => !kept.has(file));
    const candidates = scratch.dropped?.filter((file) => unknown.includes(file)) ?? unknown;
    for (const file of candidates) {
      signal.throwIfAborted();
      const bytes = await storing.found(id, generation, file, signal);
      // Without the first file, no other was kept.
      if (!bytes) break;
      kept.add(file);
      report.kept(file, bytes);
    }
  }

  /** Recomputes the open files after a change of the wanted ones. */
  async function review(): Promise<void> {
    checkSize();
    const now = new Set(wanted().filter((file) => !kept.has(file)));
    for (const file of now) if (!open.has(file)) await scratch.createOwnFile(file);
    open = now;
    ready.clear();
    for (const file of open) if (fileProgress.isWhole(file)) ready.add(file);
    ask();
    goOn();
  }

  function goOn(): void {
    if (signal.aborted) return;
    for (const file of ready) {
      if (storingNow.size >= MOST_STORING) break;
      if (storingNow.has(file)) continue;
      storingNow.set(file, store(file).catch(fail));
    }
    if (open.size === 0) return settled.resolve();
    const lacks = open.size > ready.size;
    if (lacks && !swarm) join();
    if (hasMore && present && present.asking < FEW_RANGES) ask();
  }

  async function store(file: number): Promise<void> {
    const path = scratch.pathOf(file);
    try {
      const { id, generation } = job;
      const bytes = await storing.keep(
        { id, generation, index: file, path },
        signal,
        () => (lastNews = Date.now()),
      );
      signal.throwIfAborted();
      kept.add(file);
      report.kept(file, bytes);
      if (!gives) await scratch.drop(file);
    } finally {
      storingNow.delete(file);
      ready.delete(file);
      open.delete(file);
      moved.delete(file);
    }
    lastNews = Date.now();
    goOn();
  }

  function join(): void {
    swarm = joinSwarm(client, torrent, {
      layout,
      found: scratch.found,
      store: { put, get: scratch.get },
      knownPeers,
      arrived,
      failed: (error) => fail(reasonOf(error)),
    });
    swarm.then(
      (joined) => {
        present = joined;
        ask();
      },
      (error: unknown) => fail(reasonOf(error)),
    );
  }

  function ask(): void {
    const lacking = [...open].filter((file) => !fileProgress.isWhole(file));
    const ranges = isFull ? [] : rangesOf(lacking, layout, MOST_RANGES);
    hasMore = ranges.length === MOST_RANGES;
    present?.ask(ranges);
  }

  async function put(piece: number, bytes: Uint8Array): Promise<void> {
    unwritten += bytes.length;
    if (unwritten > FULL_BYTES && !isFull) {
      isFull = true;
      ask();
    }
    try {
      const claim = await room.claim(bytes.length);
      await scratch.put(piece, bytes).finally(() => claim.release());
    } finally {
      unwritten -= bytes.length;
      if (isFull && unwritten < FULL_BYTES / 4) {
        isFull = false;
        ask();
      }
    }
  }

  function arrived(piece: number): void {
    lastNews = Date.now();
    for (const file of fileProgress.add(piece)) if (open.has(file)) ready.add(file);
    for (const file of fileProgress.filesOf(piece))
      if (open.has(file)) moved.set(file, fileProgress.received(file));
    goOn();
  }

  function tick(): void {
    const peers = present?.peers ?? 0;
    if (peers > 0) lastCompany = Date.now();
    const step = open.size === 0 ? 'seeding' : open.size > ready.size ? 'fetching' : 'storing';
    const received = wanted().reduce(
      (sum, file) => sum + (kept.has(file) ? files[file]!.size : fileProgress.received(file)),
      0,
    );
    report.progress({ step, received, speed: present?.speed ?? 0, peers, files: moved });
    const silence = Date.now() - Math.max(lastNews, lastCompany);
    const isAlone = silence > timeouts.aloneMs;
    const isStalled = Date.now() - lastNews > timeouts.stalledMs;
    if (step === 'fetching' && (isAlone || isStalled)) fail(new FetchFailed('torrent_no_peers'));
  }

  /** Seeds until a seed limit is reached or more files are wanted. */
  async function give(): Promise<void> {
    const share = seed.ratio * wanted().reduce((sum, file) => sum + files[file]!.size, 0);
    const end = Date.now() + seed.minutes * MINUTE_MS;
    while (present && open.size === 0 && present.uploaded < share && Date.now() < end) {
      await sleep(TICK_MS, undefined, { signal });
    }
  }

  async function finish(): Promise<void> {
    const left = await swarm?.catch(() => undefined);
    await left?.leave();
    await Promise.all(storingNow.values());
    await scratch.close();
  }

  client.broken.addEventListener('abort', () => fail(reasonOf(client.broken.reason)), { once: true, signal });
  const ticking = setInterval(tick, TICK_MS);
  try {
    job.wanted.onChange(() => {
      settled = Promise.withResolvers();
      review().catch(fail);
    }, signal);
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => {});
    signal.addEventListener('abort', () => aborted.reject(signal.reason as Error), { once: true });
    signal.throwIfAborted();
    await findKept();
    await review();
    do {
      let waited;
      do {
        waited = settled;
        await Promise.race([waited.promise, aborted.promise]);
      } while (waited !== settled);
      tick();
      if (gives) await give();
    } while (open.size > 0);
  } finally {
    clearInterval(ticking);
    ending.abort();
    await finish();
  }
}

/** Maps the error of a swarm to an id of the error catalogue, if known. */
function reasonOf(error: unknown): unknown {
  if (error instanceof FetchFailed) return error;
  if (error instanceof StorageFull) return new FetchFailed('disk_full', { cause: error });
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new FetchFailed('disk_full', { cause: error });
  if (code === 'EFBIG') return new FetchFailed('source_too_large', { final: true, cause: error });
  return new FetchFailed('source_failed', { cause: error });
}
