/** An aria2 of the administrator's that fetches instead of us, seen by our guard as far as that goes. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FetchSpec } from '@bowerbird/contract';
import type { Room } from '@bowerbird/storage';
import { FetchFailed, type Engine } from '../fetch/engine.ts';
import type { Storing } from '../fetch/storing.ts';
import { createKeyedMutex } from '../fetch/keyed-mutex.ts';
import { isReachable, networksOf, type Guard } from '../guard/index.ts';
import { factsOf, parseTorrent, readMagnet, type Torrent } from '../torrent/index.ts';
import { createProxy, type Way } from './proxy.ts';
import { connectAria2 } from './rpc.ts';
import { findTorrent, runTorrentJob } from './torrent-job.ts';
import { createTransfer } from './transfer.ts';
import { runWebJob } from './web-job.ts';

export interface Aria2EngineDeps {
  /** Address of its JSON-RPC interface. */
  readonly rpc: string;
  /** Folder that aria2 sees under the same path. */
  readonly scratch: string;
  readonly storing: Storing;
  /** Of the disk with `scratch`. */
  readonly scratchRoom: Room;
  readonly guard: Guard;
  /** Networks that may be reached although they are private. */
  readonly allow: readonly string[];
  /** Bytes a second of one download; null without limit. */
  readonly rate: number | null;
  readonly seed: { readonly ratio: number; readonly minutes: number };
  /** Finds out what is behind web addresses, which aria2 can't say before it fetches. */
  readonly web: Engine;
}

export function createAria2Engine(deps: Aria2EngineDeps): Engine {
  const { guard, storing, scratchRoom: room, rate, seed, web } = deps;
  const aria2 = connectAria2(deps.rpc, guard);
  const proxy = createProxy(() => aria2.localAddress, guard);
  const mutex = createKeyedMutex<Torrent>();
  const allowed = networksOf(deps.allow);
  const admits = (address: string): boolean => isReachable(address, allowed);
  const folderOf = (name: string): string => join(resolve(deps.scratch), name);

  async function travel<T>(name: string, work: (way: Way) => Promise<T>): Promise<T> {
    // The first call finds out at which address of ours it can reach us.
    await aria2.call('getVersion');
    const way = await proxy.open(createHash('sha256').update(name).digest('hex'));
    try {
      return await work(way);
    } finally {
      way.close();
    }
  }

  async function find(spec: Extract<FetchSpec, { kind: 'torrent' }>, signal: AbortSignal): Promise<Torrent> {
    const { infoHash, magnet, torrent: file } = spec;
    if (file === undefined) {
      const name = folderOf(`find-${infoHash}`);
      const sources = readMagnet(magnet);
      const seek = (way: Way): Promise<Torrent> =>
        findTorrent(infoHash, sources, { aria2, way, folder: name, rate, admits }, signal);
      // aria2 accepts an info-hash once; a fetch of it that is running may know the torrent.
      return (
        mutex.current(infoHash) ?? mutex.runExclusive(infoHash, undefined, signal, () => travel(name, seek))
      );
    }
    const torrent = parseTorrent(Buffer.from(file, 'base64'));
    if (infoHash !== '' && torrent.infoHash !== infoHash)
      throw new FetchFailed('torrent_invalid', { final: true });
    return torrent;
  }

  return {
    async inspect(spec, signal) {
      return spec.kind === 'web' ? web.inspect(spec, signal) : factsOf(await find(spec, signal));
    },

    async fetch(job, report, signal) {
      const { spec } = job;
      const folder = folderOf(`${job.id}-${job.generation}`);
      report.progress({ step: 'resolving', received: 0, speed: 0, files: new Map() });
      if (spec.kind === 'web') {
        const facts = await web.inspect(spec, signal);
        report.facts(facts);
        if (facts.kind !== 'web') return;
        await travel(folder, (way) =>
          runWebJob(spec, facts, job, report, { aria2, way, storing, room, folder, rate }, signal),
        );
      } else {
        const torrent = await find(spec, signal);
        report.facts(factsOf(torrent));
        const fetch = (way: Way): Promise<void> =>
          runTorrentJob(
            torrent,
            job,
            report,
            { aria2, way, storing, room, folder, rate, seed, admits },
            signal,
          );
        await mutex.runExclusive(torrent.infoHash, torrent, signal, () => travel(folder, fetch));
      }
      await rm(folder, { recursive: true, force: true });
    },

    async forget(id, generation) {
      const folder = folderOf(`${id}-${generation}`);
      await travel(folder, (way) => createTransfer(aria2, folder, 1, way).end()).catch(() => {});
      await rm(folder, { recursive: true, force: true });
      await web.forget(id, generation);
    },

    async close() {
      await Promise.all([proxy.close(), web.close()]);
      aria2.close();
    },
  };
}
