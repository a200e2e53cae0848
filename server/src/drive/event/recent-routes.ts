import {
  ApiFailure,
  FILE_CATEGORIES,
  LIMITS,
  pageSize,
  RECENT_KINDS,
  recentApi,
  type FileCategory,
  type RecentKind,
} from '@bowerbird/contract';
import type { Cursors, Database } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import { contextOf, type AnnotationsOf } from '../node/index.ts';
import type { Links } from '../drive.ts';
import { EVERY_KIND, type Recents } from './recent-service.ts';
import { positionView, recentView } from './recent-view.ts';

const POSITIONS_AT_ONCE = 100;

const wordsOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Returns the words as members of a list; throws if one of them isn't. */
function chosen<T extends string>(
  field: string,
  words: readonly string[],
  all: readonly T[],
): ReadonlySet<T> {
  const found = all.filter((one) => words.includes(one));
  if (words.some((word) => !all.some((one) => one === word)))
    throw new ApiFailure('invalid_argument', { field });
  return new Set(found);
}

const kindsOf = (words: readonly string[]): ReadonlySet<RecentKind> =>
  words.length === 0 ? EVERY_KIND : chosen('kinds', words, RECENT_KINDS);

export function mountRecents(
  api: Api,
  {
    database,
    cursors,
    recents,
    links,
    annotationsOf,
  }: {
    database: Database;
    cursors: Cursors;
    recents: Recents;
    links: Links;
    annotationsOf: AnnotationsOf;
  },
): void {
  api.handle(recentApi.list, async ({ query, viewer, caller }) => {
    const kinds = kindsOf(wordsOf(query.kinds));
    const words = wordsOf(query.categories);
    const categories =
      words.length === 0 ? undefined : chosen<FileCategory>('categories', words, FILE_CATEGORIES);
    const unfinished = query.unfinished === 'true';
    const list = JSON.stringify(['recent', viewer.account, [...kinds], [...(categories ?? [])], unfinished]);
    const { files, next } = await recents.page(
      viewer.account,
      { kinds, categories, unfinished },
      {
        limit: pageSize(query.limit, LIMITS.page, LIMITS.page),
        place: cursors.place(list, query.page_token),
      },
    );
    const context = {
      ...contextOf(viewer, caller, links, query.thumbnail_size),
      annotations: await annotationsOf(
        database,
        viewer.account,
        files.map(({ node }) => node.id),
      ),
    };
    return {
      entries: files.map((file) => recentView(file, context)),
      next_page_token: next ? cursors.token(list, next) : '',
    };
  });

  api.handle(recentApi.positions, async ({ query, viewer }) => {
    const ids = wordsOf(query.file_ids);
    if (ids.length > POSITIONS_AT_ONCE) throw new ApiFailure('invalid_argument', { field: 'file_ids' });
    return { positions: (await recents.positions(viewer.account, ids)).map(positionView) };
  });

  // A file that was opened just now is recorded before it is removed, not after.
  const prepare = (): Promise<void> => recents.settle();
  api.handle(recentApi.remove, { underKey: 'joined', prepare }, async ({ body, viewer }) => ({
    removal: await recents.remove(viewer.account, kindsOf(body.kinds ?? []), body.file_ids),
  }));

  api.handle(recentApi.restore, { underKey: 'joined' }, async ({ body, viewer }) => {
    await recents.restore(viewer.account, body.removal);
    return {};
  });

  api.handle(recentApi.clear, { underKey: 'joined', prepare }, async ({ body, viewer }) => {
    await recents.clear(viewer.account, kindsOf(body.kinds ?? []));
    return {};
  });
}
