import { withApp, type Say } from './command.ts';
import { sizeText, type Config } from '../foundation/index.ts';

const HOUR_MS = 3600 * 1000;

/**
 * Frees the bytes of permanently deleted files without waiting for the grace period. Bytes that another file
 * uses again are kept, and so are those released in the last hour while links are being downloaded: some of
 * them are about to be used.
 */
export async function collect(config: Config, say: Say): Promise<void> {
  await withApp(config, async (app) => {
    const isFetching = (await app.offline.reserved(app.database)).size > 0;
    const before = await app.storage.freeSpace();
    const collected = await app.drive.collector.collect(
      new AbortController().signal,
      isFetching ? HOUR_MS : 0,
    );
    const after = await app.storage.freeSpace();
    const space = before === null || after === null ? '' : ` ${sizeText(after)} free now.`;
    say(
      collected === 0
        ? `Nothing to free.${space}`
        : `Freed the space of ${collected} deleted ${collected === 1 ? 'file' : 'files'}.${space}`,
    );
    if (isFetching)
      say('Cloud downloads are running, so files deleted in the last hour will be freed later.');
  });
}
