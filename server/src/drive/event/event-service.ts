import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure, EVENT_TYPES, parseSize, type EventType } from '@bowerbird/contract';
import type { Clock, Ids } from '../../foundation/index.ts';
import { cutPage, type Database, type KeysetPosition, type Tx } from '../../foundation/database/index.ts';
import type { EventStore } from './event-store.ts';
import type { Nodes } from '../node/index.ts';
import type { EventRow, NodeRow } from '../drive.ts';

export type CameBy = Exclude<EventType, 'TYPE_PLAY'>;

export interface Events {
  /** Records that nodes were added to a drive, in the transaction that adds them. */
  came(tx: Tx, account: string, type: CameBy, nodes: readonly string[]): Promise<void>;
  /**
   * Records the playback position of a file; skips reports that follow the last one too closely, and those of members
   * who don't want it.
   */
  played(account: string, file: string, report: PlayReport): Promise<void>;
  /** Lists events, the newest first, except those of trashed or deleted files. */
  page(
    account: string,
    types: readonly EventType[],
    page: { limit: number; place: KeysetPosition | undefined },
  ): Promise<{ events: { event: EventRow; node: NodeRow }[]; next: KeysetPosition | undefined }>;
  remove(account: string, ids: readonly string[]): Promise<void>;
  clear(account: string, types: readonly EventType[]): Promise<void>;
  forgetOld(signal: AbortSignal): Promise<void>;
}

export interface PlayReport {
  readonly seconds: number | string | undefined;
  readonly duration: number | string | undefined;
  readonly media: string | undefined;
}

/** Event types that are listed by default. */
export const ARRIVALS: readonly EventType[] = EVENT_TYPES.filter((type) => type !== 'TYPE_PLAY');

const CLOSEST_MS = 1500;
const KEPT_MS = 365 * 24 * 3600 * 1000;
/** Maximum number of events of one operation: of a thousand copied roots only the first are listed. */
const MOST_AT_ONCE = 100;

export function createEvents({
  database,
  store,
  nodes,
  clock,
  ids,
  remembersOpened,
}: {
  database: Database;
  store: EventStore;
  nodes: Nodes;
  clock: Clock;
  ids: Ids;
  remembersOpened: (account: string) => Promise<boolean>;
}): Events {
  const newEvent = (type: EventType, node: string): EventRow => ({
    id: ids.next(),
    type,
    node,
    params: {},
    progress: 100,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  });

  return {
    came: (tx, account, type, came) =>
      store.insert(
        tx,
        account,
        came.slice(0, MOST_AT_ONCE).map((node) => newEvent(type, node)),
      ),

    async played(account, file, { seconds, duration, media }) {
      const [at, whole] = [wholeSeconds('play_seconds', seconds), wholeSeconds('play_duration', duration)];
      if (!(await nodes.find(database, account, file))) throw new ApiFailure('file_not_found');
      if (!(await remembersOpened(account))) return;
      const event: EventRow = {
        ...newEvent('TYPE_PLAY', file),
        params: {
          play_seconds: String(at),
          play_duration: String(whole),
          ...(media ? { media_id: media } : {}),
        },
        progress: whole > 0 ? Math.min(100, Math.floor((at * 100) / whole)) : 0,
      };
      await database.transaction((tx) => store.play(tx, account, event, clock.now() - CLOSEST_MS));
    },

    async page(account, types, { limit, place }) {
      checkTypes(types);
      const found: { event: EventRow; node: NodeRow }[] = [];
      let from = place;
      for (;;) {
        const rows = await store.read(database, account, { types, place: from, limit: limit + 1 });
        const live = await nodes.findMany(database, account, [...new Set(rows.map(({ node }) => node))]);
        const byId = new Map(live.map((node) => [node.id, node]));
        for (const event of rows) {
          const node = byId.get(event.node);
          if (node) found.push({ event, node });
        }
        from = rows.length > 0 ? placeOf(rows.at(-1)!) : undefined;
        if (found.length > limit || rows.length <= limit) break;
        await yieldToEventLoop();
      }
      const { page, next } = cutPage(found, limit, ({ event }) => placeOf(event));
      return { events: page, next };
    },

    remove: (account, wanted) => database.transaction((tx) => store.remove(tx, account, wanted)),
    clear: (account, types) => database.transaction((tx) => store.clear(tx, account, types)),

    async forgetOld(signal) {
      while (await database.transaction((tx) => store.forget(tx, clock.now() - KEPT_MS))) {
        signal.throwIfAborted();
        await yieldToEventLoop();
      }
    },
  };
}

const placeOf = ({ updatedAt, id }: EventRow): KeysetPosition => [updatedAt, id];

/** Throws if plays are requested together with other events: they are never listed together. */
function checkTypes(types: readonly EventType[]): void {
  if (types.includes('TYPE_PLAY') && types.length > 1)
    throw new ApiFailure('invalid_argument', { field: 'filters.type' });
}

function wholeSeconds(field: string, value: number | string | undefined): number {
  const seconds = value === undefined || value === '' ? 0 : Math.floor(Number(value));
  const known = parseSize(seconds);
  if (known === undefined) throw new ApiFailure('invalid_argument', { field });
  return known;
}
