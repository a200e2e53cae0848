import { ApiFailure } from '@bowerbird/contract';
import type { Accounts } from '../account/index.ts';
import type { Domain, Foundation } from '../foundation/domain/index.ts';
import type { Caller, Member } from '../foundation/http/index.ts';
import type { Events, TreeCopies, Links, Nodes, Recents, Searches } from '../drive/index.ts';
import type { CountLimits } from '../membership/index.ts';
import type { Pushes } from '../push/index.ts';
import type { Shield } from '../shield/index.ts';
import type { TaskRow, Tasks } from '../task/index.ts';
import { checkShares, type ShareFinding } from './share-check-service.ts';
import { createShareEntry, isOpen, type ShareEntry } from './share-entry-service.ts';
import { createRestores } from './share-restore-service.ts';
import { mountOwnShares } from './share-own-routes.ts';
import { mountRestore } from './share-restore-routes.ts';
import { mountShareSearch } from './share-search-routes.ts';
import { mountShares } from './share-routes.ts';
import { createShares, type Shares } from './share-service.ts';
import { createShareStore } from './share-store.ts';
import { createVisits, type Visits } from './share-visit-service.ts';

export { isOpen, type Credentials, type Entered, type ShareEntry } from './share-entry-service.ts';
export { outermost, stillWithin } from './share-selection.ts';
export type { Shares } from './share-service.ts';
export { statusText } from './share-view.ts';
export type { Visits } from './share-visit-service.ts';
export type { Mark, ShareRow } from './share.ts';

interface Parts extends Foundation {
  shield: Shield;
  accounts: Pick<Accounts, 'find'>;
  tasks: Tasks;
  nodes: Nodes;
  searches: Searches;
  links: Links;
  treeCopies: TreeCopies;
  events: Events;
  recents: Recents;
  countLimits: CountLimits;
  pushes: Pick<Pushes, 'tell'>;
}

export interface Share extends Domain {
  readonly shares: Shares;
  readonly entry: ShareEntry;
  readonly visits: Visits;
  /** Saves a whole share into a drive, for a caller with its link; throws the errors of the share's page. */
  save(
    viewer: Member,
    caller: Caller,
    share: { shareId: string; passcode: string | undefined; parent: string | undefined },
  ): Promise<TaskRow>;
  /** Returns title and number of items of a share that the caller may open. */
  glimpse(
    caller: Caller,
    share: { shareId: string; passcode: string | undefined },
  ): Promise<{ title: string; count: number } | undefined>;
  /** Counts a download through a link that carries the share's reference. */
  downloaded(reference: string, caller: Caller): void;
  /** Verifies that counters agree with tasks, and repairs them if requested. */
  check(options: { repair: boolean }): Promise<ShareFinding[]>;
}

/**
 * Shares: roots of a drive that are open to anybody with the link and its passcode, and can be saved from
 * there.
 */
export function createShare(parts: Parts): Share {
  const store = createShareStore();
  const {
    database,
    cursors,
    clock,
    ids,
    keys,
    log,
    jobs,
    shield,
    accounts,
    tasks,
    nodes,
    searches,
    links,
    treeCopies,
    events,
    recents,
    countLimits,
    pushes,
  } = parts;
  const shares = createShares({ database, store, nodes, recents, keys, ids, clock, countLimits });
  const entry = createShareEntry({ database, store, nodes, accounts, shield, keys, clock });
  const visits = createVisits({ database, store, pushes, clock, log });
  const restores = createRestores({ database, store, entry, nodes, treeCopies, events, tasks, jobs });
  searches.onShared((sql, account, limit) => store.sharedNodes(sql, account, clock.now(), limit));
  return {
    shares,
    entry,
    visits,
    async save(viewer, caller, { shareId, passcode, parent }) {
      const entered = await entry.enter(caller, { shareId, passcode, atGate: true });
      if (entered.own) throw new ApiFailure('file_restore_own');
      if (!isOpen(entered)) throw new ApiFailure('share_not_found', { status: entered.status });
      return restores.begin(entered.share, entered.roots, {
        account: viewer.account,
        fileIds: [],
        parent,
        requestKey: caller.idempotencyKey && `restore:${caller.idempotencyKey}`,
      });
    },
    async glimpse(caller, { shareId, passcode }) {
      const entered = await entry.enter(caller, { shareId, passcode, atGate: true });
      return isOpen(entered) ? { title: entered.share.title, count: entered.roots.length } : undefined;
    },
    downloaded(reference, caller) {
      const [id = ''] = reference.split('.');
      void store.find(database, id).then(
        (share) => share && visits.count('download', share, caller),
        () => {},
      );
    },
    check: (options) => checkShares({ database, store, tasks }, options),
    mount({ api }) {
      mountOwnShares(api, { database, cursors, clock, accounts, links, shares, entry });
      mountShares(api, { database, cursors, clock, nodes, links, entry, visits });
      mountShareSearch(api, { database, cursors, nodes, links, entry, searches });
      mountRestore(api, { entry, restores });
    },
    eraseAccount: shares.eraseAccount,
    define: (queue) => restores.define(queue),
    close: () => visits.flush(),
  };
}
