import type { ErrorId } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Accesses, Blobs, Nodes, Placements, Recents } from '../drive/index.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Quota, Traffic } from '../membership/index.ts';
import type { ShareEntry, Visits } from '../share/index.ts';
import type { Shield } from '../shield/index.ts';
import type { Tasks } from '../task/index.ts';
import type { Receiving } from '../upload/index.ts';
import { PASSWORD_GUESSES } from './archive-limits.ts';
import { mountArchives } from './archive-routes.ts';
import { createArchiveReading } from './archive-reading-service.ts';
import { createArchives } from './archive-service.ts';
import { createArchiveStore } from './archive-store.ts';
import { mountExtractions } from './extraction-routes.ts';
import { createExtractions } from './extraction-service.ts';
import { createPackings } from './packing-service.ts';
import { createUnpacker } from './unpacker.ts';

export { gather, zip, type ZipEntry } from './zip.ts';

const HOUR_MS = 3600 * 1000;

interface Parts extends Foundation {
  storage: Pick<BlobStore, 'open'>;
  /** Main file of the worker. */
  program: string;
  shield: Shield;
  quota: Quota;
  tasks: Tasks;
  nodes: Nodes;
  recents: Recents;
  placements: Placements;
  blobs: Blobs;
  receive: Receiving['receive'];
  entry: ShareEntry;
  accesses: Accesses;
  visits: Visits;
  traffic: Pick<Traffic, 'begin' | 'check'>;
  /** Reason why an account may not be used. */
  refusal: (account: string) => Promise<ErrorId | undefined>;
}

/**
 * Downloads of many files as one zip, generated while it is read; and listing and extracting members'
 * archives.
 */
export function createArchive(parts: Parts) {
  const { database, clock, shield, tasks, nodes, entry, visits } = parts;
  const store = createArchiveStore();
  const archives = createArchives({ ...parts, store });
  const reading = createArchiveReading({ ...parts, unpacker: createUnpacker(parts) });
  const extractions = createExtractions({ ...parts, reading });
  const packings = createPackings({ ...parts, archives });
  const guesses = shield.guard('archive-password', PASSWORD_GUESSES);
  return {
    reserved: extractions.reserved,
    /** Deletes the account's download links for archives. Returns the number of rows removed. */
    eraseAccount: (account: string, signal: AbortSignal): Promise<number> =>
      store.eraseAccount(database, account, signal),
    mount({ api, http }: Mount) {
      mountArchives(api, http, { archives, entry, visits, clock });
      mountExtractions(api, { database, nodes, tasks, reading, extractions, packings, guesses });
    },
    define(jobs: Jobs) {
      jobs.define('forget-archive-links', () => archives.forgetExpired(), { everyMs: HOUR_MS });
      extractions.define(jobs);
      packings.define(jobs);
    },
  };
}
