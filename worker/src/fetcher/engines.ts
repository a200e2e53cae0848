import type { FetcherSettings, FetchSpec } from '@bowerbird/contract';
import type { Hashing } from '@bowerbird/ingest';
import type { BlobStore, Room } from '@bowerbird/storage';
import type { Guard } from '../guard/index.ts';
import { createAria2Engine } from '../aria2/index.ts';
import { createTorrentEngine, readTorrent } from '../torrent/index.ts';
import { createWebEngine } from '../web/index.ts';
import type { Engine } from '../fetch/engine.ts';
import { createRateLimit } from '../fetch/rate-limit.ts';
import type { Storing } from '../fetch/storing.ts';

export interface EngineDeps {
  readonly settings: FetcherSettings;
  readonly guard: Guard;
  readonly storage: BlobStore;
  readonly hashing: Hashing;
  readonly storing: Storing;
  /** Free space on the disk where torrents are downloaded. */
  readonly scratchRoom: Room;
}

/** Creates the engines. `engineOf` returns the one for a source. */
export function createEngines({ settings, guard, storage, hashing, storing, scratchRoom }: EngineDeps): {
  engineOf(spec: FetchSpec): Engine;
  readonly engines: readonly Engine[];
} {
  const rate = createRateLimit(settings.rate);
  const web = createWebEngine({ storage, hashing, storing, rate, readTorrent });
  if (settings.aria2) {
    const aria2 = createAria2Engine({ ...settings, rpc: settings.aria2, storing, guard, web, scratchRoom });
    return { engineOf: () => aria2, engines: [aria2] };
  }
  const torrent = createTorrentEngine({ ...settings, storing, scratchRoom });
  return { engineOf: ({ kind }) => (kind === 'torrent' ? torrent : web), engines: [web, torrent] };
}
