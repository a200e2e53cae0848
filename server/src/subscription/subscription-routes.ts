import { LIMITS, NO_FILTERS, pageSize, subscriptionApi, type Subscription } from '@bowerbird/contract';
import type { Nodes } from '../drive/index.ts';
import { cutPage, type Cursors, type Database } from '../foundation/database/index.ts';
import type { Api, Caller, Member } from '../foundation/http/index.ts';
import type { Guard } from '../shield/index.ts';
import type { Tasks } from '../task/index.ts';
import type { Readings } from './subscription-reading-service.ts';
import type { Settings, Subscriptions } from './subscription-service.ts';
import { feedItemView, itemView, subscriptionView } from './subscription-view.ts';
import { addressOf, type SubscriptionRow } from './subscription.ts';

export interface SubscriptionRoutes {
  readonly database: Database;
  readonly cursors: Cursors;
  readonly subscriptions: Subscriptions;
  readonly readings: Readings;
  readonly nodes: Nodes;
  readonly tasks: Tasks;
  /** Limits a member's lookups of other sites. */
  readonly looks: Guard;
  /** Name of the default folder for downloads. */
  readonly defaultFolder: string;
  readonly counts: (ids: readonly string[]) => Promise<ReadonlyMap<string, Partial<Record<string, number>>>>;
}

interface SettingsBody {
  name?: string;
  parent_id?: string;
  folder_type?: '' | 'DOWNLOAD';
  every_minutes?: number;
  filters?: object;
  active?: boolean;
  take_existing?: boolean;
}

const settingsOf = (body: SettingsBody): Settings => ({
  name: body.name,
  parent: body.folder_type === 'DOWNLOAD' ? null : body.parent_id,
  everyMinutes: body.every_minutes,
  filters: body.filters,
  active: body.active,
  takeExisting: body.take_existing,
});

export function mountSubscriptions(api: Api, parts: SubscriptionRoutes): void {
  const { database, cursors, subscriptions, readings, nodes, tasks, looks, defaultFolder, counts } = parts;

  async function views(
    rows: readonly SubscriptionRow[],
    viewer: Member,
    caller: Caller,
  ): Promise<Subscription[]> {
    const parents = rows.flatMap(({ parent }) => (parent ? [parent] : []));
    const folders = await nodes.findMany(database, viewer.account, [...new Set(parents)]);
    const names = new Map(folders.map(({ id, name }) => [id, name]));
    const counted = await counts(rows.map(({ id }) => id));
    return rows.map((row) =>
      subscriptionView(row, {
        folderName: row.parent === undefined ? defaultFolder : (names.get(row.parent) ?? ''),
        counts: counted.get(row.id) ?? {},
        locale: caller.locale,
      }),
    );
  }

  const one = async (
    row: SubscriptionRow,
    viewer: Member,
    caller: Caller,
  ): Promise<{ subscription: Subscription }> => ({
    subscription: (await views([row], viewer, caller))[0]!,
  });

  api.handle(subscriptionApi.list, async ({ viewer, caller }) => ({
    subscriptions: await views(await subscriptions.list(viewer.account), viewer, caller),
  }));

  api.handle(subscriptionApi.create, { underKey: 'joined' }, async ({ body, viewer, caller }) => {
    const parent = body.folder_type === 'DOWNLOAD' || body.parent_id === undefined ? null : body.parent_id;
    const row = await subscriptions.create(viewer.account, {
      ...settingsOf(body),
      parent,
      kind: body.kind,
      url: body.url,
    });
    return one(row, viewer, caller);
  });

  api.handle(subscriptionApi.change, { underKey: 'joined' }, async ({ params, body, viewer, caller }) =>
    one(
      await subscriptions.change(viewer.account, params.id, { ...settingsOf(body), url: body.url }),
      viewer,
      caller,
    ),
  );

  api.handle(subscriptionApi.remove, { underKey: 'joined' }, async ({ params, viewer }) => {
    await subscriptions.remove(viewer.account, params.id);
    return {};
  });

  api.handle(subscriptionApi.restore, { underKey: 'joined' }, async ({ params, viewer, caller }) =>
    one(await subscriptions.restore(viewer.account, params.id), viewer, caller),
  );

  api.handle(subscriptionApi.run, async ({ params, viewer, caller }) => {
    await looks.attempt(viewer.account, caller.address);
    return one(await subscriptions.runNow(viewer.account, params.id), viewer, caller);
  });

  api.handle(subscriptionApi.items, async ({ params, query, viewer, caller }) => {
    const size = pageSize(query.limit, LIMITS.page, LIMITS.pageMax);
    const list = `subscription-items:${params.id}`;
    const place = cursors.place(list, query.page_token);
    const rows = await subscriptions.items(viewer.account, params.id, place, size + 1);
    const { page, next } = cutPage(rows, size, (row) => [row.place, row.key]);
    const items = [];
    for (const row of page) {
      const task = row.task === undefined ? undefined : await tasks.find(database, viewer.account, row.task);
      items.push(itemView(row, task, caller.locale));
    }
    return { items, next_page_token: next === undefined ? '' : cursors.token(list, next) };
  });

  api.handle(subscriptionApi.take, { underKey: 'joined' }, async ({ params, body, viewer, caller }) =>
    one(await subscriptions.take(viewer.account, params.id, body.ids), viewer, caller),
  );

  api.handle(subscriptionApi.preview, async ({ body, viewer, caller }) => {
    const url = addressOf(body.url);
    await looks.attempt(viewer.account, caller.address);
    const { items, ...feed } = await readings.preview(url, { ...NO_FILTERS, ...body.filters });
    return {
      ...feed,
      items: items.map(feedItemView),
      taken_count: items.filter(({ taken }) => taken).length,
    };
  });
}
