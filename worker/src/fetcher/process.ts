import { mkdir, statfs } from 'node:fs/promises';
import type { FetcherSettings, FetchOrder, FetchWord } from '@bowerbird/contract';
import { createDigests, createPieceMemory } from '@bowerbird/ingest';
import { createRoom } from '@bowerbird/storage';
import { installGuard, trustedStorage } from '../guard/index.ts';
import { openStorage } from '../open-storage.ts';
import { createDesk } from './desk.ts';
import { leavingReserve } from './disk-reserve.ts';
import { createStoring } from '../fetch/storing.ts';

/** The process that talks to strangers' servers and peers. Its parent hands it settings, then orders. */
export async function start(): Promise<void> {
  const settings = JSON.parse(process.env['FETCHER'] ?? 'null') as FetcherSettings | null;
  if (!settings) throw new Error('FETCHER is missing');
  delete process.env['FETCHER'];
  // Before anything is imported that could connect.
  const guard = installGuard(settings.allow);
  const { createEngines } = await import('./engines.ts');
  const { readText } = await import('../web/index.ts');

  const own = trustedStorage(await guard.trusted(() => openStorage(settings.storage)), guard);
  const storage = leavingReserve(own, settings.diskReserve);
  const digests = createDigests();
  const hashing = { digests, memory: createPieceMemory() };
  const storing = createStoring(storage, hashing);
  const scratchRoom = createRoom({ freeSpace: () => freeSpaceOf(settings.scratch) }, settings.diskReserve);
  const deps = { settings, guard, storage, hashing, storing, scratchRoom };
  const { engineOf, engines } = createEngines(deps);
  // Where the parent was killed nobody listens any more, and the end is near.
  const say = (word: FetchWord): void => void (process.connected && process.send?.(word));
  const desk = createDesk(engineOf, engines, readText, say, (error) => console.error(error));

  process.on('message', (order: FetchOrder) => desk.take(order));
  say({ word: 'ready' });
}

async function freeSpaceOf(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
