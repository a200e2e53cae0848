import {
  ApiFailure,
  isApiFailure,
  type ErrorId,
  type FetchFailure,
  type FetchSpec,
} from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import { createSemaphore, type Clock, type Log } from '../foundation/index.ts';
import { readLink, type Link } from './link.ts';
import type { Questions } from './offline-question-service.ts';
import { specOf, type Sources } from './offline-source-service.ts';
import type { SourceRow } from './offline.ts';
import type { SourceStore } from './source-store.ts';

/** The result of one line of an inspection, as stored in the list's id. */
export type Entry =
  | { readonly source: string }
  | { readonly share: string; readonly passcode?: string; readonly url: string }
  | { readonly error: ErrorId; readonly url: string };

/** A source whose inspection is finished, pending or failed. */
export interface Looked {
  readonly source: SourceRow;
  readonly pending: boolean;
  readonly failure: FetchFailure | undefined;
}

export interface Inspections {
  /** Starts inspecting links, and waits briefly for the results. `account` is '' for visitors. */
  begin(account: string, links: readonly string[], origins: readonly string[]): Promise<Entry[]>;
  /** Inspects the bytes of a .torrent file. */
  ofTorrent(account: string, torrent: string): Promise<Entry>;
  /** Returns the state of an inspection, and starts a new one if it is due. */
  at(id: string): Promise<Looked | undefined>;
}

const TIMEOUT_MS = 60_000;
/** The first answer waits this long for quick inspections. */
const FIRST_WAIT_MS = 4_000;
/** The facts of an address are valid for this long. */
const FRESH_MS = 10 * 60_000;
/** The delay before a failed inspection is repeated. */
const REST_MS = 30_000;
const AT_ONCE = 8;
const MOST_SHOWN = 500;

export function createInspections({
  database,
  store,
  sources,
  questions,
  clock,
  log,
}: {
  database: Database;
  store: SourceStore;
  sources: Sources;
  questions: Questions;
  clock: Clock;
  log: Log;
}): Inspections {
  const underWay = new Map<string, Promise<void>>();
  /** Limits the number of inspections at a time. */
  const semaphore = createSemaphore({ atOnce: AT_ONCE });

  async function look(id: string): Promise<void> {
    const spec = await store.spec(database, id);
    if (!spec) return;
    try {
      const facts = await semaphore.run(() => questions.look(spec, TIMEOUT_MS));
      if (facts.kind !== spec.kind) await becomeTorrent(id, specOf(spec, facts), facts);
      else await database.transaction((tx) => sources.recordFacts(tx, id, facts));
    } catch (error) {
      if (!isApiFailure(error)) log.error({ err: error, source: id }, 'could not inspect source');
      const failure: FetchFailure = {
        error: isApiFailure(error) ? error.id : 'internal',
        final: false,
      };
      await database.transaction((tx) => sources.recordFailure(tx, id, failure));
    }
  }

  /** Inspects a source and logs an error of the database: the inspection is repeated on the next request. */
  function lookAndLog(id: string): Promise<void> {
    return look(id).catch((error: unknown) =>
      log.warn({ err: error, source: id }, 'could not save source facts'),
    );
  }

  /** Points an address that leads to a .torrent file or magnet link to the source of the torrent. */
  async function becomeTorrent(
    id: string,
    torrent: FetchSpec,
    facts: Parameters<Sources['recordFacts']>[2],
  ): Promise<void> {
    const led = await database.transaction(async (tx) => {
      const row = await sources.ensure(tx, '', torrent);
      if (facts.files.length > 0) await sources.recordFacts(tx, row.id, facts);
      await store.leadTo(tx, id, row.id, clock.now());
      return row;
    });
    if (facts.files.length === 0 && isDue(led)) await lookOnce(led.id);
  }

  function lookOnce(id: string): Promise<void> {
    const known = underWay.get(id);
    if (known) return known;
    const looking = lookAndLog(id).finally(() => underWay.delete(id));
    underWay.set(id, looking);
    return looking;
  }

  function isDue({ kind, facts, failure, lookedAt, leadsTo, state }: SourceRow): boolean {
    // A time in the future was written by a clock that was ahead, so the age is unknown.
    const age = (lookedAt ?? 0) > clock.now() ? Infinity : clock.now() - (lookedAt ?? 0);
    if (state === 'fetching') return false;
    if (failure && age < REST_MS) return false;
    if (leadsTo !== undefined) return age > FRESH_MS;
    return !facts || (kind === 'web' && age > FRESH_MS);
  }

  async function entryOf(account: string, link: Link, line: string): Promise<Entry> {
    const url = line.slice(0, MOST_SHOWN);
    if (link.kind === 'unreadable') return { error: link.error, url };
    if (link.kind === 'share')
      return {
        share: link.shareId,
        url,
        ...(link.passcode === undefined ? {} : { passcode: link.passcode }),
      };
    const row = await database.transaction((tx) => sources.ensure(tx, account, link.spec));
    return { source: row.id };
  }

  return {
    async begin(account, links, origins) {
      const entries: Entry[] = [];
      for (const line of links) entries.push(await entryOf(account, readLink(line, origins), line));
      const looking: Promise<void>[] = [];
      for (const entry of entries) {
        if (!('source' in entry)) continue;
        const row = await store.find(database, entry.source);
        if (row && isDue(row)) looking.push(lookOnce(row.id));
      }
      const enough = new Promise<void>((resolve) => void setTimeout(resolve, FIRST_WAIT_MS).unref());
      await Promise.race([Promise.all(looking), enough]);
      return entries;
    },

    async ofTorrent(account, torrent) {
      const facts = await questions.look({ kind: 'torrent', infoHash: '', magnet: '', torrent }, TIMEOUT_MS);
      if (!facts.torrent) throw new ApiFailure('torrent_invalid');
      const spec = specOf({ kind: 'torrent', infoHash: '', magnet: '' }, facts);
      const row = await database.transaction(async (tx) => {
        const source = await sources.ensure(tx, account, spec);
        return sources.recordFacts(tx, source.id, facts);
      });
      return { source: row.id };
    },

    async at(id) {
      const asked = await store.find(database, id);
      const row = asked?.leadsTo === undefined ? asked : await store.find(database, asked.leadsTo);
      if (!row) return undefined;
      if (isDue(row)) void lookOnce(row.id);
      const pending = underWay.has(row.id);
      return { source: row, pending, failure: pending || row.facts ? undefined : row.failure };
    },
  };
}
