import { isIP } from 'node:net';
import type { driveApi, ErrorId, File, ReplyOf } from '@bowerbird/contract';
import { createDigests, createPieceMemory } from '@bowerbird/ingest';
import type { BlobStore, Room } from '@bowerbird/storage';
import {
  fileView,
  type Blobs,
  type Events,
  type Links,
  type Nodes,
  type Placements,
} from '../drive/index.ts';
import type { Sql } from '../foundation/database/index.ts';
import type { Domain, Foundation } from '../foundation/domain/index.ts';
import type { Call, Caller } from '../foundation/http/index.ts';
import type { Quota, Traffic } from '../membership/index.ts';
import { taskView, type Tasks } from '../task/index.ts';
import { createObjectAccess, makeForm, mountObjects } from './object/index.ts';
import { createPartRecords } from './part-records.ts';
import { createPublishing } from './upload-publish-service.ts';
import { createChecksumBackfill } from './upload-checksum-service.ts';
import { createCompletions } from './upload-completion-service.ts';
import { createContentCheck, type ContentCheck } from './upload-content-check-service.ts';
import { createAborting, type Aborting } from './upload-abort-service.ts';
import { createAdding } from './upload-add-service.ts';
import { mountBatches } from './upload-batch-routes.ts';
import { createBatchUploads } from './upload-batch-service.ts';
import { defineUploadJobs } from './upload-jobs.ts';
import { createParts } from './upload-part-service.ts';
import { createReceiving, type Receiving } from './upload-receive-service.ts';
import { createSmallBodies } from './upload-small-service.ts';
import { createUploadPartStore } from './upload-part-store.ts';
import { createUploadStore } from './upload-store.ts';
import { createTickets } from './upload-ticket-service.ts';
import { mountContents } from './content/index.ts';
import { createCleanup } from './upload-cleanup-service.ts';
import { pendingView, ticketView } from './upload-view.ts';
import { BUCKET } from './upload.ts';

export { requestBytes } from './object/index.ts';
export type { Receiving, Received } from './upload-receive-service.ts';

export interface UploadDeps extends Foundation {
  readonly storage: BlobStore;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly nodes: Nodes;
  readonly placements: Placements;
  readonly blobs: Blobs;
  readonly events: Events;
  readonly links: Links;
  /** Reason why an account may not be used. */
  readonly refusal: (account: string) => Promise<ErrorId | undefined>;
  readonly room: Room;
  readonly traffic: Traffic;
}

export interface Upload extends Domain {
  /** Handles `POST /drive/v1/files` for a file: returns the complete file or a ticket for its bytes. */
  create(call: Call<typeof driveApi.create>): Promise<ReplyOf<typeof driveApi.create>>;
  /**
   * Returns a file that still waits for its bytes, as its owner sees it; or the file whose content an upload with this
   * id has replaced.
   */
  pending(account: string, id: string, caller: Caller): Promise<File | undefined>;
  /** Returns the quota reserved by unfinished uploads, per account, for a recount. */
  reserved(sql: Sql, account?: string): Promise<Map<string, number>>;
  /** Receives a whole file without a ticket. */
  readonly receive: Receiving['receive'];
  readonly checkContent: ContentCheck['check'];
  /** Aborts and deletes all uploads of the account. */
  readonly eraseAccount: Aborting['eraseAccount'];
}

/** Object ingest: uploads of bytes to a drive. */
export function createUpload(deps: UploadDeps): Upload {
  const { storage, database, clock, keys, log, tasks, links } = deps;
  const store = createUploadStore();
  deps.traffic.onAnnounced(
    'upload',
    async (sql, account) => (await store.reserved(sql, account)).get(account) ?? 0,
  );
  const partStore = createUploadPartStore();
  const hashing = { digests: createDigests(), memory: createPieceMemory() };
  const records = createPartRecords({ database, store, partStore, tasks, clock, log });
  const parts = createParts({ ...deps, store, partStore, hashing, records });
  const aborting = createAborting({ ...deps, store, partStore });
  const adding = createAdding({ ...deps, aborting });
  const publishing = createPublishing({ ...deps, store, partStore, aborting, adding });
  const smallBodies = createSmallBodies({ ...deps, publishing, aborting });
  const completing = { ...deps, store, partStore, hashing, parts, aborting, publishing, smallBodies };
  const completions = createCompletions(completing);
  const receiving = createReceiving({ ...deps, hashing, aborting, smallBodies });
  const batches = createBatchUploads({ ...deps, smallBodies, adding, aborting });
  const tickets = createTickets({ ...deps, store, completions });
  const cleanup = createCleanup({ database, store, storage, aborting, completions, receiving, clock, log });
  const checksums = createChecksumBackfill({ ...deps, hashing });
  const access = createObjectAccess({ keys, clock });

  tasks.onCancel<{ upload?: string } | null>('upload', async (tx, { state }) => {
    const upload = state?.upload;
    if (upload !== undefined)
      await aborting.giveUpIn(tx, upload, { state: 'cancelled', failure: 'cancelled' });
  });

  return {
    async create({ body, viewer: { account }, caller: { origin, locale, userAgent } }) {
      const ticket = await tickets.open(account, body);
      const task = taskView(ticket.task, locale);
      const kind = { upload_type: body.upload_type || 'UPLOAD_TYPE_RESUMABLE' };
      if ('node' in ticket)
        return {
          ...kind,
          file: fileView(ticket.node, { links, origin, rootId: account, withLinks: true }),
          task,
        };
      const { upload } = ticket;
      const credentials = access.credentials(upload.id);
      return {
        ...kind,
        file: pendingView(upload, { links, origin }),
        task,
        ...(body.upload_type === 'UPLOAD_TYPE_FORM'
          ? { form: makeForm(upload, credentials, origin) }
          : { resumable: ticketView(upload, credentials, endpointFor(userAgent, origin)) }),
      };
    },
    async pending(account, id, { origin }) {
      const upload = await tickets.pending(account, id);
      if (upload) return pendingView(upload, { links, origin });
      const file = await tickets.replaced(account, id);
      return file && fileView(file, { links, origin, rootId: account, withLinks: true });
    },
    reserved: (sql, account) => store.reserved(sql, account),
    checkContent: createContentCheck({ ...deps, hashing }).check,
    eraseAccount: aborting.eraseAccount,
    receive: (reception, appear) => receiving.receive(reception, appear),
    mount({ api, http }) {
      mountBatches(api, batches);
      mountContents(api, { ...deps, receiving });
      mountObjects(http, { access, tickets, parts, completions, aborting, refusal: deps.refusal, log });
    },
    define: (jobs) => defineUploadJobs(jobs, cleanup, checksums),
    async close() {
      await records.close();
      await hashing.digests.close();
    },
  };
}

/**
 * Returns the endpoint; with a bucket subdomain for Android clients, which upload to the endpoint itself, unless it is
 * an IP.
 */
function endpointFor(userAgent: string, origin: string): string {
  const { host, hostname } = new URL(origin);
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && hostname.includes('.');
  return isName && userAgent.startsWith('ANDROID-') ? `${BUCKET}.${host}` : host;
}

/** Rewrites requests to the bucket's own host to the path under which one origin serves it. */
export function rewriteBucketHost(host: string, url: string): string {
  const path = url.replace(/^https?:\/\/[^/?]*/i, '');
  return host.toLowerCase().startsWith(`${BUCKET}.`)
    ? `/${BUCKET}${path.startsWith('/') ? path : `/${path}`}`
    : url;
}
