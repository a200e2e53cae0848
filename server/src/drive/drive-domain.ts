import type { File } from '@bowerbird/contract';
import type { Tx } from '../foundation/database/index.ts';
import type { Domain, EraseAccount } from '../foundation/domain/index.ts';
import type { Caller, Member } from '../foundation/http/index.ts';
import type { Accesses } from './access/index.ts';
import type { AnnotationFacts } from './annotation/index.ts';
import type { Blobs, Collector } from './blob/index.ts';
import type { Batches, Placements } from './change/index.ts';
import type { Sender, ShareGate } from './download/index.ts';
import type { ArrivalHooks } from './drive-arrivals.ts';
import type { Links } from './drive.ts';
import type { Events, Recents } from './event/index.ts';
import type { Finding } from './maintenance/index.ts';
import type { Held, Nodes } from './node/index.ts';
import type { Grants } from './people/index.ts';
import type { Searches } from './search/index.ts';
import type { Breakdowns } from './usage/index.ts';
import type { TreeCopies } from './tree-copy/index.ts';
import type { Versions } from './version/index.ts';

export interface Drive extends Domain, ArrivalHooks {
  readonly nodes: Nodes;
  readonly blobs: Blobs;
  readonly treeCopies: TreeCopies;
  readonly links: Links;
  readonly collector: Collector;
  readonly events: Events;
  readonly searches: Searches;
  readonly recents: Recents;
  readonly placements: Placements;
  /** Decides what members may do with nodes of others. */
  readonly accesses: Accesses;
  readonly grants: Pick<Grants, 'given' | 'acts' | 'audience'>;
  readonly copyAs: Batches['copyAs'];
  /** Hook for a domain that stores more about nodes than their rows: see {@link TreeCopies.onCopy}. */
  readonly onCopy: TreeCopies['onCopy'];
  /** Responds to a request with a file's bytes, honoring conditions and ranges. */
  readonly send: Sender;
  /** Moves nodes of an account to the trash; those that are deleted or trashed already are skipped. */
  trash(tx: Tx, account: string, ids: readonly string[]): Promise<void>;
  /** Returns the live nodes among `ids` as their owner sees them, by id. */
  views(viewer: Member, caller: Caller, ids: readonly string[]): Promise<Map<string, File>>;
  /** Hook for shares: download links issued through a share end with it. */
  onShare(gate: ShareGate): void;
  /** Checks that nodes, bytes and quotas agree, and repairs what it can. Nothing else may run during a repair. */
  check(options: { repair: boolean }): Promise<Finding[]>;
  /** Iterates over all nodes of an account, reading a page at a time. */
  inventory(account: string): AsyncIterable<Held>;
  readonly versions: Pick<Versions, 'removable' | 'ofAccount'>;
  /** Lists tags, notes and pinned folders of an account. */
  readonly annotationFacts: AnnotationFacts;
  /** Returns what the account's storage is used for, by kind and by folder. */
  readonly breakdown: Breakdowns;
  /** Deletes everything in the account's drive. Returns the number of rows removed. */
  readonly eraseAccount: EraseAccount;
}
