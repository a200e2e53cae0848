import { ApiFailure, type ErrorId } from '@bowerbird/contract';
import {
  BlobDamaged,
  BlobNotFound,
  StorageUnavailable,
  type BlobStore,
  type ByteRange,
  type OpenBlob,
} from '@bowerbird/storage';
import type { Log } from '../../foundation/index.ts';
import type { Database } from '../../foundation/database/index.ts';
import type { Moving, Traffic } from '../../membership/index.ts';
import type { Accesses } from '../access/index.ts';
import type { BlobRowStore } from '../blob/index.ts';
import type { OpenedLink, SignedLinks } from './link-service.ts';
import type { VersionStore } from '../version/index.ts';
import type { DriveStore } from '../drive-store.ts';
import type { BlobRow, NodeRow } from '../drive.ts';
import { inlineType, PROOF_BYTES, provesType } from './inline-type.ts';

/** File whose bytes may be sent. */
export interface Downloadable {
  readonly node: NodeRow;
  readonly blob: BlobRow;
  /** True if it was opened through a share. */
  readonly isShared: boolean;
  /** Account whose download traffic pays if it isn't the owner's: a member with access to the file. */
  readonly payer?: string | undefined;
}

export interface Downloads {
  /** Returns a live file with its blob; throws `file_not_found` if that is taken down. */
  of(node: NodeRow): Promise<Downloadable>;
  /** Resolves a link; throws `file_not_found` if its file is deleted, taken down, or no longer shared. */
  follow(link: OpenedLink): Promise<Downloadable>;
  open(blob: BlobRow, range?: ByteRange): Promise<OpenBlob>;
  /**
   * Begins to send that many bytes, at the expense of the file's owner: of their own downloads, or of those through
   * their shares, to the address of whoever downloads. Members who were given access pay for their own downloads. Throws `traffic_download_limit`, `traffic_shared_limit`.
   */
  begin(file: Downloadable, bytes: number, address: string): Promise<Moving>;
  /** Returns the content type to display a file with, or undefined if it may only be downloaded. */
  shownAs(file: Downloadable): Promise<string | undefined>;
}

interface DownloadDeps {
  readonly database: Database;
  readonly store: DriveStore;
  readonly blobs: BlobRowStore;
  readonly versionStore: VersionStore;
  readonly bytes: BlobStore;
  readonly links: SignedLinks;
  readonly accesses: Pick<Accesses, 'find'>;
  readonly traffic: Traffic;
  /**
   * Returns why an account may not be used: links outlive sessions, but don't outlive the right to use the
   * account.
   */
  readonly refusal: (account: string) => Promise<ErrorId | undefined>;
  readonly log: Log;
}

export function createDownloads(deps: DownloadDeps): Downloads {
  const { database, store, versionStore, blobs, bytes, links, accesses, traffic, log } = deps;
  /** Returns a file with an earlier content. */
  async function asBefore(node: NodeRow, version: string): Promise<NodeRow> {
    const before = await versionStore.find(database, node.id, version);
    if (!before) throw new ApiFailure('file_not_found');
    const { hash: blob, gcid, size, modified_at } = before;
    return { ...node, blob, gcid, size, modified_at };
  }

  /** Returns why the member of a link may not read the file any more. Earlier versions are for those who may edit. */
  async function memberRefusal({ member, node, version }: OpenedLink): Promise<ErrorId | undefined> {
    if (member === undefined) return undefined;
    const need = version === undefined ? 'view' : 'edit';
    if (!(await accesses.find(database, member, [node], need))) return 'file_not_found';
    return deps.refusal(member);
  }

  const downloads: Downloads = {
    async follow(link) {
      const present = await store.byId(database, link.node);
      if (!present || isPutAway(present)) throw new ApiFailure('file_not_found');
      const node = link.version === undefined ? present : await asBefore(present, link.version);
      const file = { ...(await downloads.of(node)), isShared: link.share !== undefined, payer: link.member };
      if (!(await links.stillShared(link))) throw new ApiFailure('file_not_found');
      const refusal = (await deps.refusal(node.account)) ?? (await memberRefusal(link));
      if (refusal) throw new ApiFailure(refusal);
      return file;
    },

    async of(node) {
      const blob = node.blob ? await blobs.byHash(database, node.blob) : undefined;
      if (!blob || blob.quarantined_at !== null) throw new ApiFailure('file_not_found');
      return { node, blob, isShared: false };
    },

    async open(blob, range) {
      try {
        return await bytes.open(blob.store_key, range);
      } catch (error) {
        if (error instanceof StorageUnavailable) throw new ApiFailure('unavailable');
        if (!(error instanceof BlobNotFound || error instanceof BlobDamaged)) throw error;
        log.error({ err: error, blob: blob.hash }, 'blob missing from storage');
        throw new ApiFailure('data_loss');
      }
    },

    begin: ({ node, isShared, payer }, bytes, address) =>
      traffic.begin(payer ?? node.account, { kind: isShared ? 'shared' : 'download', bytes, address }),

    async shownAs({ node, blob }) {
      const type = inlineType(node.name);
      if (type === undefined || provesType(type, new Uint8Array())) return type;
      if (blob.size === 0) return undefined;
      const { stream } = await downloads.open(blob, { start: 0, end: PROOF_BYTES - 1 });
      return provesType(type, Buffer.concat(await stream.toArray())) ? type : undefined;
    },
  };
  return downloads;
}

/** Returns true if the node was deleted permanently, though its row still exists. */
function isPutAway({ parent }: NodeRow): boolean {
  return parent.startsWith('!');
}
