import { ApiFailure, isApiFailure, type ErrorId } from '@bowerbird/contract';
import type { Cursors } from '../foundation/database/index.ts';
import type { Caller, Member } from '../foundation/http/index.ts';
import type { Keys } from '../foundation/index.ts';
import type { Guard } from '../shield/index.ts';
import type { Entry, Inspections } from './offline-inspection-service.ts';
import type { Statuses } from './offline-status-service.ts';
import type { SourceFileRow, SourceRow } from './offline.ts';

/** Returns the title of a share of this site, if the caller may see it. */
export type NameShare = (
  caller: Caller,
  share: { shareId: string; passcode: string | undefined },
) => Promise<{ title: string; count: number } | undefined>;

/** The inspection result of one link. */
export interface Shown {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly size: number | undefined;
  readonly count: number;
  readonly kind: 'web' | 'torrent' | 'share' | '';
  readonly hash?: string;
  readonly pending?: boolean;
  readonly error?: ErrorId | undefined;
  /** True if the viewer's drive has the content of a source that is a single file. */
  readonly isOwned?: boolean;
  readonly files?: ShownFiles | undefined;
}

/** One page of the files of a source that is a folder. */
export interface ShownFiles {
  readonly files: readonly SourceFileRow[];
  readonly owned: ReadonlySet<number>;
  readonly pageSize: number;
  readonly next: string;
}

/** The inspection results of several links. */
export interface ShownList {
  /** Names the list in later requests. */
  readonly id: string;
  readonly pageSize: number;
  readonly resources: readonly Shown[];
}

/** Content behind links, as far as it is known, with pages of its files. */
export interface Resources {
  /** Counts one more inspection of a member, or of a visitor. Throws `too_frequent`. */
  countLook(viewer: Member | null, caller: Caller): Promise<void>;
  /** Starts a list with the links in a text, one on each line. `origins` are those of this site. */
  ofLinks(look: Look, text: string, origins: readonly string[]): Promise<ShownList>;
  /** Starts a list with a .torrent file. */
  ofTorrent(look: Look, torrent: string): Promise<ShownList>;
  /** Returns the present state of a list, or the page of files that a token names. */
  again(look: Look, list: string, pageToken: string | undefined): Promise<ShownList>;
}

export interface Look {
  readonly viewer: Member | null;
  readonly caller: Caller;
  /** Most files on a page. */
  readonly size: number;
}

interface ResourceDeps {
  readonly cursors: Cursors;
  readonly keys: Keys;
  readonly visitorLooks: Guard;
  readonly memberLooks: Guard;
  readonly statuses: Statuses;
  readonly inspections: Inspections;
  readonly nameShare: NameShare;
}

const MOST_LINKS = 100;
const LIST = 'resource-list';
/** The position before the first file. */
const START = -1;

export function createResources(deps: ResourceDeps): Resources {
  const { cursors, keys, visitorLooks, memberLooks, statuses, inspections, nameShare } = deps;

  async function listOf(look: Look, entries: readonly Entry[], after = START): Promise<ShownList> {
    const resources: Shown[] = [];
    for (const entry of entries) {
      if ('error' in entry) resources.push(unreadable(entry));
      else if ('share' in entry) resources.push(await shareOf(look, entry));
      else resources.push(await sourceOf(look, entry, after));
    }
    return { id: keys.seal(LIST, entries), pageSize: look.size, resources };
  }

  async function shareOf({ caller }: Look, entry: Extract<Entry, { share: string }>): Promise<Shown> {
    const named = await nameShare(caller, { shareId: entry.share, passcode: entry.passcode }).catch(
      (error: unknown) => {
        if (isApiFailure(error)) return undefined;
        throw error;
      },
    );
    return {
      id: entry.share,
      url: entry.url,
      name: named?.title ?? entry.url,
      size: undefined,
      count: named?.count ?? 0,
      kind: 'share',
      error: named ? undefined : 'share_not_found',
    };
  }

  async function sourceOf(
    look: Look,
    entry: Extract<Entry, { source: string }>,
    after: number,
  ): Promise<Shown> {
    const looked = await inspections.at(entry.source);
    if (!looked) return unreadable({ error: 'not_found', url: '' });
    const { source, pending, failure } = looked;
    const link = await statuses.link(source.id);
    const files = source.facts ? await filesOf(look, source, after) : undefined;
    return {
      id: source.id,
      url: link.url,
      name: source.facts?.name ?? link.name,
      size: source.facts?.size,
      count: source.facts?.count ?? 0,
      kind: source.kind,
      pending: pending && !source.facts,
      error: failure?.error,
      ...(source.key.startsWith('btih:') ? { hash: source.key.slice(5) } : {}),
      isOwned: source.facts && !files ? await ownsSingleFile(look, source) : false,
      files,
    };
  }

  /** Returns a page of files; undefined if the source is a single file. */
  async function filesOf(
    { viewer, size }: Look,
    source: SourceRow,
    after: number,
  ): Promise<ShownFiles | undefined> {
    const files = await statuses.page(source.id, after, size + 1);
    const [first] = files;
    if (after < 0 && (first === undefined || (files.length === 1 && first.path.length === 1)))
      return undefined;
    const page = files.slice(0, size);
    const owned = viewer ? await statuses.owned(viewer.account, page) : new Set<number>();
    const last = page.at(-1)?.position ?? after;
    return {
      files: page,
      owned,
      pageSize: size,
      next: files.length > size ? cursors.token(`files:${source.id}`, [source.id, last]) : '',
    };
  }

  async function ownsSingleFile({ viewer }: Look, source: SourceRow): Promise<boolean> {
    if (!viewer) return false;
    const file = await statuses.page(source.id, START, 1);
    return (await statuses.owned(viewer.account, file)).size > 0;
  }

  return {
    async countLook(viewer, { address }) {
      await (viewer ? memberLooks.attempt(viewer.account, address) : visitorLooks.attempt('', address));
    },

    async ofLinks(look, text, origins) {
      const links = text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      if (links.length === 0 || links.length > MOST_LINKS)
        throw new ApiFailure('invalid_argument', { field: 'urls' });
      return listOf(look, await inspections.begin(accountOf(look), links, origins));
    },

    async ofTorrent(look, torrent) {
      return listOf(look, [await inspections.ofTorrent(accountOf(look), torrent)]);
    },

    async again(look, list, pageToken) {
      const entries = keys.open(LIST, list) as Entry[] | undefined;
      if (!entries) throw new ApiFailure('not_found');
      if (!pageToken) return listOf(look, entries);
      for (const entry of entries) {
        const id = 'source' in entry ? (await inspections.at(entry.source))?.source.id : undefined;
        if (id === undefined) continue;
        const place = placeIn(cursors, id, pageToken);
        if (place !== undefined) return listOf(look, [entry], place);
      }
      throw new ApiFailure('invalid_argument', { field: 'page_token' });
    },
  };
}

const accountOf = ({ viewer }: Look): string => viewer?.account ?? '';

const unreadable = ({ error, url }: Extract<Entry, { error: unknown }>): Shown => ({
  id: '',
  url,
  name: url,
  size: undefined,
  count: 0,
  kind: '',
  error,
});

/** Returns the position that a token names within a source's files; undefined if the token is of another source. */
function placeIn(cursors: Cursors, source: string, token: string): number | undefined {
  try {
    const place = cursors.place(`files:${source}`, token);
    return place ? Number(place[1]) : undefined;
  } catch (error) {
    if (isApiFailure(error)) return undefined;
    throw error;
  }
}
