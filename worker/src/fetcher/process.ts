import { mkdir, statfs } from 'node:fs/promises';
import type { FetcherSettings, FetchCommand, FetchEvent } from '@bowerbird/contract';
import { createDigests, createPieceMemory } from '@bowerbird/ingest';
import { createRoom } from '@bowerbird/storage';
import { installGuard, trustedStorage } from '../guard/index.ts';
import { openStorage } from '../open-storage.ts';
import { createDispatcher } from './dispatcher.ts';
import { leavingReserve } from './disk-reserve.ts';
import { createStoring } from '../fetch/storing.ts';

/**
 * Starts the fetcher process, which talks to strangers' servers and peers. Its parent passes it settings, then
 * commands.
 */
export async function start(): Promise<void> {
  const settings = JSON.parse(process.env['FETCHER'] ?? 'null') as FetcherSettings | null;
  if (!settings) throw new Error('FETCHER is missing');
  delete process.env['FETCHER'];
  // Installed before the import of any module that could connect.
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
  // If the parent was killed, nobody is listening and this process is about to exit.
  const send = (event: FetchEvent): void => void (process.connected && process.send?.(event));
  const dispatcher = createDispatcher(engineOf, engines, readText, send, (error) => console.error(error));

  process.on('message', (command: FetchCommand) => dispatcher.dispatch(command));
  send({ type: 'ready' });
}

async function freeSpaceOf(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
