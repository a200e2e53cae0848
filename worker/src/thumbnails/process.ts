import type { ThumbnailDone, ThumbnailOrder } from '@bowerbird/contract';
import { StorageFull, StorageUnavailable } from '@bowerbird/storage';
import { openStorage } from '../open-storage.ts';
import { createPictures } from './picture.ts';

/**
 * Starts the process that decodes untrusted pictures. Its parent passes it the storage's address and orders, one at a
 * time, and kills it if one takes too long.
 */
export async function start(): Promise<void> {
  const address = process.env['STORAGE'];
  if (!address) throw new Error('STORAGE is missing');
  delete process.env['STORAGE'];
  const storage = await openStorage(address);
  const pictures = createPictures(storage, process.env['PATH'] ?? '');
  process.on('message', (order: ThumbnailOrder) => {
    const send = (done: ThumbnailDone): void => void process.send?.(done);
    pictures.make(order).then(
      () => send({ id: order.id, made: true }),
      (error: unknown) => {
        const later = error instanceof StorageUnavailable || error instanceof StorageFull;
        send({ id: order.id, made: false, reason: String(error), later });
      },
    );
  });
  process.send?.('ready');
}
