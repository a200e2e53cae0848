import { driveApi, type Tag } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Pair, TagRow } from './annotation.ts';
import type { Tags } from './tag-service.ts';

const tagView = ({ id, name, color }: TagRow): Tag => ({ id, name, color });

const byTag = (pairs: readonly Pair[]): { tag_id: string; ids: string[] }[] =>
  Array.from(
    Map.groupBy(pairs, ({ tag }) => tag),
    ([tag, some]) => ({ tag_id: tag, ids: some.map(({ node }) => node) }),
  );

export function mountTags(api: Api, { database, tags }: { database: Database; tags: Tags }): void {
  api.handle(driveApi.tags, async ({ viewer }) => ({
    tags: (await tags.list(database, viewer.account)).map(tagView),
  }));

  api.handle(driveApi.createTag, { underKey: 'joined' }, async ({ body, viewer }) =>
    tagView(await tags.create(viewer.account, body)),
  );

  api.handle(driveApi.changeTag, { underKey: 'joined' }, async ({ params, body, viewer }) =>
    tagView(await tags.change(viewer.account, params.id, body)),
  );

  api.handle(driveApi.removeTag, { underKey: 'joined' }, async ({ params, viewer }) => {
    await tags.remove(viewer.account, params.id);
    return {};
  });

  api.handle(driveApi.tagFiles, { underKey: 'joined' }, async ({ body, viewer }) => {
    const { ids, add = [], remove = [] } = body;
    const { added, removed } = await tags.mark(viewer.account, ids, { add, remove });
    return { added: byTag(added), removed: byTag(removed) };
  });
}
