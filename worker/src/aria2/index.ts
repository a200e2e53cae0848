/** Fetches with an aria2 of the operator's instead of our own engines; our guard applies where possible. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FetchSpec } from '@bowerbird/contract';
import type { Room } from '@bowerbird/storage';
import { FetchFailed, type Engine } from '../fetch/engine.ts';
import type { Storing } from '../fetch/storing.ts';
import { createKeyedMutex } from '../fetch/keyed-mutex.ts';
import { isReachable, networksOf, type Guard } from '../guard/index.ts';
import { factsOf, parseTorrent, sourcesOf, type Torrent } from '../torrent/index.ts';
import { createProxy, type ProxyAccess } from './proxy.ts';
import { connectAria2 } from './rpc.ts';
import { findTorrent, runTorrentJob } from './torrent-job.ts';
import { createDownload } from './download.ts';
import { runWebJob } from './web-job.ts';

export interface Aria2EngineDeps {
  /** Address of its JSON-RPC interface. */
  readonly rpc: string;
  /** Folder that aria2 accesses under the same path. */
  readonly scratch: string;
  readonly storing: Storing;
  /** Free space on the disk with `scratch`. */
  readonly scratchRoom: Room;
  readonly guard: Guard;
  /** Private networks (CIDR) that may be connected to. */
  readonly allow: readonly string[];
  /** Bytes per second of one download; null for no limit. */
  readonly rate: number | null;
  readonly seed: { readonly ratio: number; readonly minutes: number };
  /** Inspects web addresses, which aria2 cannot do without fetching. */
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

  async function withProxy<T>(name: string, work: (access: ProxyAccess) => Promise<T>): Promise<T> {
    // The first call determines the address of ours that aria2 can reach.
    await aria2.call('getVersion');
    const access = await proxy.open(createHash('sha256').update(name).digest('hex'));
    try {
      return await work(access);
    } finally {
      access.close();
    }
  }

  async function find(spec: Extract<FetchSpec, { kind: 'torrent' }>, signal: AbortSignal): Promise<Torrent> {
    const { infoHash, magnet, torrent: file } = spec;
    if (file === undefined) {
      const name = folderOf(`find-${infoHash}`);
      const sources = sourcesOf(magnet);
      const seek = (access: ProxyAccess): Promise<Torrent> =>
        findTorrent(infoHash, sources, { aria2, access, folder: name, rate, admits }, signal);
      // aria2 accepts an info-hash once, so a running download may provide the metadata.
      return (
        mutex.current(infoHash) ??
        mutex.runExclusive(infoHash, undefined, signal, () => withProxy(name, seek))
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
        await withProxy(folder, (access) =>
          runWebJob(spec, facts, job, report, { aria2, access, storing, room, folder, rate }, signal),
        );
      } else {
        const torrent = await find(spec, signal);
        report.facts(factsOf(torrent));
        const fetch = (access: ProxyAccess): Promise<void> =>
          runTorrentJob(
            torrent,
            job,
            report,
            { aria2, access, storing, room, folder, rate, seed, admits },
            signal,
          );
        await mutex.runExclusive(torrent.infoHash, torrent, signal, () => withProxy(folder, fetch));
      }
      await rm(folder, { recursive: true, force: true });
    },

    async forget(id, generation) {
      const folder = folderOf(`${id}-${generation}`);
      await withProxy(folder, (access) => createDownload(aria2, folder, 1, access).end()).catch(() => {});
      await rm(folder, { recursive: true, force: true });
      await web.forget(id, generation);
    },

    async close() {
      await Promise.all([proxy.close(), web.close()]);
      aria2.close();
    },
  };
}
