import type { BlobStore } from '@bowerbird/storage';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Clock, Ids, Keys } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Blobs, Nodes } from '../drive/index.ts';
import type { ShareEntry, Visits } from '../share/index.ts';
import { mountArchives } from './archive-routes.ts';
import { createArchives } from './archive-service.ts';
import { createArchiveStore } from './archive-store.ts';

const HOUR_MS = 3600 * 1000;

interface Parts {
  database: Database;
  storage: Pick<BlobStore, 'open'>;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  nodes: Nodes;
  blobs: Blobs;
  entry: ShareEntry;
  visits: Visits;
}

/** Many files as one download, made while it is read. */
export function createArchive({ database, storage, clock, ids, keys, nodes, blobs, entry, visits }: Parts) {
  const archives = createArchives({
    database,
    store: createArchiveStore(),
    storage,
    nodes,
    blobs,
    entry,
    keys,
    ids,
    clock,
  });
  return {
    mount: (api: Api, app: FastifyInstance) => mountArchives(api, app, { archives, entry, visits, clock }),
    define: (jobs: Jobs) =>
      jobs.define('forget-archive-links', () => archives.forgetExpired(), { everyMs: HOUR_MS }),
  };
}
