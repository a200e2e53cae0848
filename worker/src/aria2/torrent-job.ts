import { lookup } from 'node:dns/promises';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeMagnet } from '@bowerbird/contract';
import { FetchFailed, type FetchJob, type FetchReport } from '../fetch/engine.ts';
import { parseTorrent, writeTorrent, type Sources, type Torrent } from '../torrent/index.ts';
import { createDownload, type Status } from './download.ts';
import { optionsOf, type JobDeps } from './web-job.ts';

export interface TorrentJobDeps extends JobDeps {
  readonly seed: { readonly ratio: number; readonly minutes: number };
  /** Returns whether the guard permits an address. */
  readonly admits: (address: string) => boolean;
}

const MOST_STORING = 2;
/** Timeout in seconds without a byte. */
const STALLED_SECONDS = '600';
const TORRENT_OPTIONS = {
  'bt-enable-lpd': 'false',
  'bt-save-metadata': 'false',
  'bt-hash-check-seed': 'false',
  'bt-stop-timeout': STALLED_SECONDS,
  'check-integrity': 'true',
  'follow-torrent': 'false',
};

/** Fetches the wanted files of a torrent with aria2, and moves them into the storage. */
export async function runTorrentJob(
  torrent: Torrent,
  job: FetchJob,
  report: FetchReport,
  deps: TorrentJobDeps,
  signal: AbortSignal,
): Promise<void> {
  const { aria2, access, storing, room, folder, rate, seed } = deps;
  const { files } = torrent;
  const kept = new Set(job.kept);
  const wanted = (): number[] =>
    [...files.keys()].filter((file) => !files[file]!.filler && job.wanted.has(file));
  const open = (): number[] => wanted().filter((file) => !kept.has(file));
  const download = createDownload(aria2, folder, files.length, access);
  const gives = seed.ratio > 0 && seed.minutes > 0;
  const ending = new AbortController();
  const within = AbortSignal.any([signal, ending.signal]);

  const sizeOf = (list: readonly number[]): number => list.reduce((sum, file) => sum + files[file]!.size, 0);
  const checkSize = (): void => {
    if (sizeOf(wanted()) > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
  };

  async function tell({
    completedLength,
    downloadSpeed,
    connections,
    seeder,
    files: said = [],
  }: Status): Promise<void> {
    // A seeding download writes nothing.
    if (seeder !== 'true') await room.check(1);
    const here = sizeOf([...kept].filter((file) => job.wanted.has(file)));
    const isWhole = seeder === 'true';
    const moved = new Map(
      said
        .map(({ index, completedLength: received }) => [Number(index) - 1, Number(received)] as const)
        .filter(([file, received]) => received > 0 && !kept.has(file) && job.wanted.has(file)),
    );
    const coming =
      said.length > 0 ? [...moved.values()].reduce((sum, bytes) => sum + bytes, 0) : Number(completedLength);
    report.progress({
      step: isWhole ? 'seeding' : 'fetching',
      received: Math.min(here + coming, sizeOf(wanted())),
      speed: Number(downloadSpeed),
      peers: Number(connections),
      files: moved,
    });
  }

  async function store(list: readonly number[]): Promise<void> {
    const queue = [...list];
    const one = async (): Promise<void> => {
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        const path = join(folder, String(file));
        const { id, generation } = job;
        const bytes = await storing.keep({ id, generation, index: file, path }, signal);
        if (bytes.size !== files[file]!.size) throw new FetchFailed('source_incomplete');
        kept.add(file);
        report.kept(file, bytes);
      }
    };
    await Promise.all(Array.from({ length: MOST_STORING }, one));
  }

  checkSize();
  await mkdir(folder, { recursive: true });
  job.wanted.onChange(() => {
    try {
      checkSize();
      void download.change({ 'select-file': selectionOf(open()) }).catch(() => {});
    } catch (error) {
      ending.abort(error);
    }
  }, signal);
  const file = writeTorrent({ ...torrent, ...(await reachable(torrent, deps.admits)) }).toString('base64');
  try {
    while (open().length > 0) {
      const asked = open();
      await download.begin('addTorrent', [file, []], {
        ...optionsOf(folder, access, rate),
        ...TORRENT_OPTIONS,
        // All files, since pieces also contain bytes of files that are not wanted.
        'index-out': files.map((_, index) => `${index + 1}=${index}`),
        'select-file': selectionOf(asked),
        ...(gives
          ? { 'seed-ratio': String(seed.ratio), 'seed-time': String(seed.minutes) }
          : { 'seed-time': '0' }),
      });
      await download.watch(tell, ({ seeder }) => seeder === 'true', within);
      // Once ended or seeding, aria2 has written all bytes to disk.
      report.progress({ step: 'storing', received: sizeOf(wanted()), speed: 0, files: new Map() });
      await store(asked.filter((index) => job.wanted.has(index)));
      if (gives && open().length === 0) await download.watch(tell, () => open().length > 0, within);
    }
  } finally {
    await download.end();
  }
}

/** Fetches the metadata of a magnet link with aria2. */
export async function findTorrent(
  infoHash: string,
  sources: Sources,
  deps: Omit<TorrentJobDeps, 'storing' | 'room' | 'seed'>,
  signal: AbortSignal,
): Promise<Torrent> {
  const { aria2, access, folder } = deps;
  const download = createDownload(aria2, folder, 1, access);
  const within = await reachable(sources, deps.admits);
  await mkdir(folder, { recursive: true });
  try {
    await download.begin('addUri', [[writeMagnet({ infoHash, name: infoHash, ...within })]], {
      ...optionsOf(folder, access, null),
      'bt-metadata-only': 'true',
      'bt-save-metadata': 'true',
      'bt-enable-lpd': 'false',
      'follow-torrent': 'false',
    });
    await download.watch(
      () => {},
      () => false,
      signal,
    );
    const found = (await readdir(folder)).find((name) => name === `${infoHash}.torrent`);
    if (!found) throw new FetchFailed('torrent_invalid', { final: true });
    const torrent = parseTorrent(await readFile(join(folder, found)));
    if (torrent.infoHash !== infoHash) throw new FetchFailed('torrent_invalid', { final: true });
    return { ...torrent, ...sources };
  } finally {
    await download.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes UDP trackers at forbidden addresses, since aria2 contacts these without our proxy. */
async function reachable(
  { trackers, webSeeds }: Sources,
  admits: (address: string) => boolean,
): Promise<Sources> {
  const checked = await Promise.all(
    trackers.map(async (tracker) => {
      const { protocol, hostname } = new URL(tracker);
      if (protocol !== 'udp:') return [tracker];
      const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
      return found.length > 0 && found.every(({ address }) => admits(address)) ? [tracker] : [];
    }),
  );
  return { trackers: checked.flat(), webSeeds };
}

/** Formats file numbers, counted from one, with consecutive ones as ranges. */
function selectionOf(files: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const file of files) {
    const last = ranges.at(-1);
    if (last && file === last[1] + 1) last[1] = file;
    else ranges.push([file, file]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1}-${to + 1}`)).join(',');
}
