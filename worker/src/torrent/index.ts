/** Fetches torrents: our own parsers for all input of strangers, on top of webtorrent's peer protocol. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FetchSpec } from '@bowerbird/contract';
import type { Room } from '@bowerbird/storage';
import { FetchFailed, type Engine } from '../fetch/engine.ts';
import type { Storing } from '../fetch/storing.ts';
import { createKeyedMutex } from '../fetch/keyed-mutex.ts';
import { createClients, type ClientOptions } from './client.ts';
import { download, type Timeouts } from './download.ts';
import { createLookups } from './lookup.ts';
import { cleanSources, sourcesOf, type Sources } from './sources.ts';
import { factsOf, parseTorrent, type Torrent } from './torrent-file.ts';

export { sourcesOf, type Sources } from './sources.ts';
export { factsOf, parseTorrent, readTorrent, writeTorrent, type Torrent } from './torrent-file.ts';

export interface TorrentEngineDeps extends ClientOptions {
  /** Folder for unfinished downloads; used by this engine alone. */
  readonly scratch: string;
  readonly storing: Storing;
  /** Free space on the disk with `scratch`. */
  readonly scratchRoom: Room;
  readonly seed: { readonly ratio: number; readonly minutes: number };
  readonly timeouts?: Timeouts;
}

const DEFAULT_TIMEOUTS: Timeouts = { aloneMs: 10 * 60_000, stalledMs: 60 * 60_000 };

export function createTorrentEngine(deps: TorrentEngineDeps): Engine {
  const { storing, scratchRoom, seed, timeouts = DEFAULT_TIMEOUTS } = deps;
  const clients = createClients(deps);
  const lookups = createLookups(clients);
  /** Allows one download of an info-hash at a time; a second one waits for the first. */
  const mutex = createKeyedMutex<Torrent>();
  const folderOf = (id: string, generation: number): string => join(deps.scratch, `${id}-${generation}`);

  async function find(spec: FetchSpec, signal: AbortSignal): Promise<Torrent> {
    if (spec.kind !== 'torrent') throw new FetchFailed('link_unsupported', { final: true });
    const sources = sourcesOf(spec.magnet);
    if (spec.torrent === undefined) {
      return mutex.current(spec.infoHash) ?? lookups.find(spec.infoHash, sources, signal);
    }
    const torrent = parseTorrent(Buffer.from(spec.torrent, 'base64'));
    if (spec.infoHash !== '' && torrent.infoHash !== spec.infoHash)
      throw new FetchFailed('torrent_invalid', { final: true });
    return torrent.private ? torrent : { ...torrent, ...merge(torrent, sources) };
  }

  return {
    async inspect(spec, signal) {
      return factsOf(await find(spec, signal));
    },

    async fetch(job, report, signal) {
      report.progress({ step: 'resolving', received: 0, speed: 0, files: new Map() });
      const torrent = await findInTime();
      report.facts(factsOf(torrent));
      const folder = folderOf(job.id, job.generation);
      await mutex.runExclusive(torrent.infoHash, torrent, signal, async () => {
        await lookups.settle(torrent);
        await clients.use((client) =>
          download({
            job,
            torrent,
            report,
            signal,
            folder,
            storing,
            room: scratchRoom,
            seed,
            timeouts,
            client,
            knownPeers: lookups.knownPeers(torrent.infoHash),
          }),
        );
      });
      await rm(folder, { recursive: true, force: true });

      async function findInTime(): Promise<Torrent> {
        const timeout = AbortSignal.timeout(timeouts.aloneMs);
        try {
          return await find(job.spec, AbortSignal.any([signal, timeout]));
        } catch (error) {
          if (timeout.aborted && !signal.aborted) throw new FetchFailed('torrent_no_peers', { cause: error });
          throw error;
        }
      }
    },

    async forget(id, generation) {
      await rm(folderOf(id, generation), { recursive: true, force: true });
    },

    close: clients.close,
  };
}

const merge = (one: Sources, other: Sources): Sources =>
  cleanSources([...one.trackers, ...other.trackers], [...one.webSeeds, ...other.webSeeds]);
