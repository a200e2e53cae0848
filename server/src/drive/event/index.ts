import type { Cursors, Database } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Clock, Ids, Log } from '../../foundation/index.ts';
import type { AnnotationsOf, Nodes } from '../node/index.ts';
import type { Links } from '../drive.ts';
import { mountEvents } from './event-routes.ts';
import { createEvents, type Events } from './event-service.ts';
import { createEventStore } from './event-store.ts';
import { mountRecents } from './recent-routes.ts';
import { createRecents, type Recents } from './recent-service.ts';
import { createRecentRemovalStore } from './recent-removal-store.ts';
import { createRecentStore } from './recent-store.ts';

export { ARRIVALS, type Events } from './event-service.ts';
export type { Recents } from './recent-service.ts';

/** The protocol's events, and what Recent has beside them. */
export interface EventLog {
  readonly events: Events;
  readonly recents: Recents;
  mount(api: Api, parts: { cursors: Cursors; links: Links; annotationsOf: AnnotationsOf }): void;
  /** Deletes what the daily job no longer keeps. */
  forgetOld(signal: AbortSignal): Promise<void>;
  /** Deletes the account's rows, in slices. Returns the number of rows removed. */
  eraseAccount(database: Database, account: string, signal: AbortSignal): Promise<number>;
}

export function createEventLog(deps: {
  database: Database;
  nodes: Nodes;
  clock: Clock;
  ids: Ids;
  log: Log;
  remembersOpened: (account: string) => Promise<boolean>;
}): EventLog {
  const eventStore = createEventStore();
  const recentStore = createRecentStore({ events: eventStore });
  const removals = createRecentRemovalStore();
  const events = createEvents({ ...deps, store: eventStore });
  const recents = createRecents({ ...deps, store: recentStore, removals });
  return {
    events,
    recents,
    mount(api, parts) {
      mountEvents(api, { ...parts, events });
      mountRecents(api, { ...parts, database: deps.database, recents });
    },
    async forgetOld(signal) {
      await events.forgetOld(signal);
      await recents.forgetOld(signal);
    },
    eraseAccount: async (...asked) =>
      (await recentStore.eraseAccount(...asked)) + (await eventStore.eraseAccount(...asked)),
  };
}
