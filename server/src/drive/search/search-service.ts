import { ApiFailure, type SearchQuery } from '@bowerbird/contract';
import type { Database, Sql } from '../../foundation/database/index.ts';
import { createSemaphore, type Clock, type Semaphore } from '../../foundation/index.ts';
import { FOLDER, type ShownNode } from '../drive.ts';
import {
  createBlockScan,
  entryText,
  nameQuery,
  type NamedNode,
  type NameQuery,
} from '../name-index/index.ts';
import { tagFold, type NoteStore, type TagStore } from '../annotation/index.ts';
import type { Nodes } from '../node/index.ts';
import { SourceChanged, type NameSource, type NameSources } from './name-source-service.ts';
import { matches, type Match, type MatchPlace } from './name-stream.ts';
import { narrowed, placeTest, rowTest, type Candidate } from './search-conditions.ts';
import { excerptOf, matchesOf, type Excerpt } from './highlight.ts';
import { NOTE_TIER, noteMatches } from './note-search-service.ts';
import { createPaths, type Area, type Path } from './search-path.ts';
import type { SearchStore } from './search-store.ts';

export interface Search {
  readonly account: string;
  readonly query: SearchQuery;
  readonly area: Area;
  /** Only below this folder. */
  readonly folder: string | undefined;
  readonly limit: number;
  readonly place: MatchPlace | undefined;
  /** Time zone in which days begin. */
  readonly zone: string;
}

export interface Found {
  readonly node: ShownNode;
  readonly path: Path;
  readonly matches: [number, number][];
  /** Part of the note that matches. */
  readonly note?: Excerpt;
}

export interface FoundPage {
  readonly found: Found[];
  readonly next: MatchPlace | undefined;
}

export interface Searches {
  /** Returns the next page; it may be short, or empty, although more follow. */
  find(search: Search): Promise<FoundPage>;
  /** Hook for shares: returns the ids of nodes that an account shares, at most `limit`. */
  onShared(shared: (sql: Sql, account: string, limit: number) => Promise<string[]>): void;
}

/** A page that took this long is returned as it is. */
const BUDGET_MS = 150;
/** Nodes up to which a part of the drive is listed instead of searched in the index. */
const LISTED = 2000;
const MARKED = 5000;
/** Folders with the name of `in:` up to which only they are searched. */
const NAMED = 100;
/** Matches that are examined together, at first and at most. */
const FIRST = 64;
const MOST = 512;
/** Searches of an account, and of visitors of its shares, that run or wait at the same time. */
const AT_ONCE = 2;
const WAITING = 20;
const TRIES = 5;

interface Verified {
  readonly node: Candidate;
  readonly path: Path;
  readonly place: MatchPlace;
}

export function createSearches({
  database,
  store,
  tags,
  notes,
  sources,
  nodes,
  clock,
}: {
  database: Database;
  store: SearchStore;
  tags: Pick<TagStore, 'named' | 'nodesWith' | 'withAll'>;
  notes: Pick<NoteStore, 'containing' | 'texts'>;
  sources: NameSources;
  nodes: Nodes;
  clock: Clock;
}): Searches {
  let shared: Parameters<Searches['onShared']>[0] = async () => [];
  const running = new Map<string, { semaphore: Semaphore; count: number }>();

  /** The nodes of a part of the drive, if they are few. */
  async function listed(
    { account, query, area, folder }: Search,
    [tag]: readonly string[],
  ): Promise<NamedNode[] | undefined> {
    const { is } = query.filters;
    if (tag !== undefined) {
      const marked = await tags.nodesWith(database, account, tag, MARKED);
      if (marked) return marked;
    }
    if (is?.includes('shared') && area !== 'trash')
      return store.named(database, await shared(database, account, MARKED));
    if (folder !== undefined) return store.below(database, [folder], LISTED);
    if (area === 'trash')
      return withInside(await store.marked(database, account, 'trashed_at', MARKED), MARKED);
    if (area !== 'drive') return withInside(await store.named(database, [...area.roots]), LISTED);
    if (is?.includes('starred')) return store.marked(database, account, 'starred_at', MARKED);
    if (query.filters.in === undefined) return undefined;
    const places = await foldersNamed(account, query.filters.in);
    if (!places) return undefined;
    return places.length === 0 ? [] : store.below(database, places, LISTED);
  }

  /** Returns the ids of the tags of a search; undefined if there is no such tag, so that nothing can have it. */
  async function tagsOf({ account, query, area }: Search): Promise<string[] | undefined> {
    const folds = [...new Set((query.filters.tags ?? []).map(tagFold))];
    if (folds.length === 0) return [];
    // Tags are the owner's: nobody else finds anything by them.
    if (typeof area === 'object') return undefined;
    const found = await tags.named(database, account, folds);
    return found.length < folds.length ? undefined : found.map(({ id }) => id);
  }

  async function withInside(roots: NamedNode[] | undefined, most: number): Promise<NamedNode[] | undefined> {
    if (!roots) return undefined;
    const folders = roots.filter(({ kind }) => kind === FOLDER).map(({ id }) => id);
    const inside = await store.below(database, folders, most);
    return inside && [...roots, ...inside];
  }

  /** Returns the folders that `in:` may mean; undefined if there are many. */
  async function foldersNamed(account: string, place: string): Promise<string[] | undefined> {
    const name = place.split('/').findLast((segment) => segment.trim() !== '');
    if (name === undefined) return undefined;
    const query = nameQuery([name], narrowed({ types: ['folder'] }));
    if (query.words.length === 0) return undefined;
    const found = new Set<string>();
    for await (const { tier, id } of matches(
      await sources.whole(account),
      createBlockScan(query),
      undefined,
    )) {
      if (tier > 0) break;
      found.add(id);
      if (found.size > NAMED) return undefined;
    }
    return [...found];
  }

  /** Reads the nodes of matches, and keeps those that still match and pass all filters, in order. */
  function createVerifier(
    { account, query, area, folder, zone }: Search,
    shares: ReadonlySet<string> | undefined,
    marks: readonly string[],
  ) {
    const paths = createPaths({ database, store, account, area });
    const passes = rowTest(query.filters, clock.now(), zone);
    const isPlaced = placeTest(query.filters);
    const seen = new Set<string>();
    return async (some: readonly Match[]): Promise<Verified[]> => {
      const rows = await store.candidates(
        database,
        some.map(({ id }) => id),
      );
      const known = new Map(
        rows.filter((row) => row.account === account && passes(row)).map((row) => [row.id, row]),
      );
      const tagged =
        marks.length === 0 ? undefined : await tags.withAll(database, account, marks, [...known.keys()]);
      const current = some.filter(({ id, text }) => {
        const node = known.get(id);
        return (
          node &&
          !seen.has(id) &&
          (!shares || shares.has(id)) &&
          (!tagged || tagged.has(id)) &&
          entryText(node.name) === text
        );
      });
      await paths.learn(current.map(({ id }) => known.get(id)!));
      return current.flatMap(({ tier, id }) => {
        const node = known.get(id)!;
        const path = seen.has(id) ? undefined : paths.of(node);
        if (!path || !isPlaced(path) || (folder !== undefined && !path.some((above) => above.id === folder)))
          return [];
        seen.add(id);
        return [{ node, path, place: [tier, id] as const }];
      });
    };
  }

  /** Iterates over matches of names, and then of notes, which only their owner finds. */
  async function* all({ account, area, place }: Search, named: NameQuery, source: NameSource) {
    if ((place?.[0] ?? 0) < NOTE_TIER) yield* matches(source, createBlockScan(named), place);
    if (typeof area !== 'object') yield* noteMatches({ database, store: notes }, account, named, place);
  }

  async function look(
    search: Search,
    named: NameQuery,
  ): Promise<{ page: Verified[]; next: MatchPlace | undefined }> {
    const started = performance.now();
    const marks = await tagsOf(search);
    if (!marks) return { page: [], next: undefined };
    const some = await listed(search, marks);
    const source: NameSource = some ? await sources.of(some) : await sources.whole(search.account);
    const wantsShared = search.query.filters.is?.includes('shared') === true && search.area !== 'trash';
    const verify = createVerifier(
      search,
      wantsShared ? new Set(await shared(database, search.account, MARKED)) : undefined,
      marks,
    );
    const found: Verified[] = [];
    let batch: Match[] = [];
    let size = FIRST;
    for await (const match of all(search, named, source)) {
      batch.push(match);
      if (batch.length < size) continue;
      found.push(...(await verify(batch)));
      if (found.length > search.limit) break;
      if (performance.now() - started > BUDGET_MS) return { page: found, next: [match.tier, match.id] };
      batch = [];
      size = Math.min(size * 2, MOST);
    }
    if (found.length <= search.limit && batch.length > 0) found.push(...(await verify(batch)));
    const page = found.slice(0, search.limit);
    return { page, next: found.length > search.limit ? page.at(-1)!.place : undefined };
  }

  async function find(search: Search): Promise<FoundPage> {
    const { words, filters } = search.query;
    const named = nameQuery(words, narrowed(filters));
    if (named.words.length === 0 && (words.length > 0 || Object.keys(filters).length === 0))
      return { found: [], next: undefined };
    for (let tries = 1; ; tries++) {
      try {
        const { page, next } = await look(search, named);
        const rows = await store.shown(
          database,
          page.map(({ node }) => node.id),
        );
        const shown = new Map(rows.map((row) => [row.id, row]));
        const noted = page.filter(({ place }) => place[0] === NOTE_TIER).map(({ node: { id } }) => id);
        const texts = noted.length === 0 ? undefined : await notes.texts(database, search.account, noted);
        const found = page.flatMap(({ node: { id }, path }): Found[] => {
          const node = shown.get(id);
          const note = excerptOf(texts?.get(id), named);
          return node ? [{ node, path, matches: matchesOf(node.name, named), ...(note && { note }) }] : [];
        });
        return { found, next };
      } catch (error) {
        if (!(error instanceof SourceChanged) || tries === TRIES) throw error;
      }
    }
  }

  return {
    onShared(hook) {
      shared = hook;
    },

    async find(search) {
      const { account, folder, area } = search;
      if (folder !== undefined && area === 'drive') {
        const node = await nodes.find(database, account, folder);
        if (node?.kind !== FOLDER) throw new ApiFailure('file_not_found');
      }
      // Visitors don't keep the owner waiting.
      const key = `${typeof area === 'object' ? 'visitors' : 'owner'} ${account}`;
      const lane = running.get(key) ?? {
        semaphore: createSemaphore({ atOnce: AT_ONCE, mostWaiting: WAITING }),
        count: 0,
      };
      running.set(key, lane);
      lane.count += 1;
      try {
        return await lane.semaphore.run(() => find(search));
      } finally {
        lane.count -= 1;
        if (lane.count === 0) running.delete(key);
      }
    },
  };
}
