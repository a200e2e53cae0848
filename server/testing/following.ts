import { setTimeout as sleep } from 'node:timers/promises';
import {
  driveApi,
  subscriptionApi,
  taskApi,
  type InputOf,
  type Subscription,
  type SubscriptionItem,
  type Task,
} from '@bowerbird/contract';
import {
  LOOPBACK_ALLOWED,
  openTestApp,
  sharedApps,
  type Member,
  type Origin,
  type TestApp,
} from './index.ts';

const shared = sharedApps();

export type Asked = Partial<InputOf<typeof subscriptionApi.create>['body']>;
export type Item = readonly [name: string, more?: string];

/** A feed of items whose enclosures are on the same site, newest first. */
export function feedOf(origin: Origin, items: readonly Item[]): Buffer {
  const written = items.map(
    ([name, more]) =>
      `<item><title>${name}</title><guid isPermaLink="false">id-${name}</guid>${
        more ?? `<enclosure url="${origin.at(`/files/${name}.bin`)}" type="audio/mpeg" length="5000"/>`
      }</item>`,
  );
  return Buffer.from(`<rss version="2.0"><channel><title>Blue</title>${written.join('')}</channel></rss>`);
}

export function publish(origin: Origin, items: readonly Item[]): void {
  for (const [name] of items) origin.put(`/files/${name}.bin`, Buffer.from(`the content of ${name}`));
  origin.put('/feed', (_, response) => response.writeHead(200).end(feedOf(origin, items)));
}

export async function subscribe(member: Member, url: string, more: Asked = {}): Promise<Subscription> {
  const { subscription } = await member.call(subscriptionApi.create, {
    body: { kind: 'feed', url, ...more },
  });
  return subscription;
}

export const find = async (member: Member, id: string): Promise<Subscription> =>
  (await member.call(subscriptionApi.list, {})).subscriptions.find((one) => one.id === id)!;

export async function settled(member: Member, id: string): Promise<Subscription> {
  for (let tries = 0; tries < 150; tries++) {
    const subscription = await find(member, id);
    if (!subscription.running) return subscription;
    await sleep(100);
  }
  throw new Error('The run did not end');
}

export async function run(member: Member, id: string): Promise<Subscription> {
  await member.call(subscriptionApi.run, { params: { id } });
  return settled(member, id);
}

export async function itemsOf(member: Member, id: string): Promise<SubscriptionItem[]> {
  return (await member.call(subscriptionApi.items, { params: { id }, query: { limit: 1000 } })).items;
}

export const statesOf = async (member: Member, id: string): Promise<Record<string, string>> =>
  Object.fromEntries((await itemsOf(member, id)).map(({ title, state }) => [title, state]));

export async function tasksOf(member: Member): Promise<Task[]> {
  return (await member.call(taskApi.list, { query: { type: 'offline', limit: 1000 } })).tasks;
}

export async function eventually<T>(look: () => Promise<T | undefined | false>, seconds = 15): Promise<T> {
  for (let tries = 0; tries < seconds * 10; tries++) {
    const found = await look();
    if (found) return found;
    await sleep(100);
  }
  throw new Error('Gave up waiting');
}

export async function namesIn(member: Member, parent: string): Promise<string[]> {
  const filters = JSON.stringify({ trashed: { eq: false } });
  const { files } = await member.call(driveApi.list, { query: { parent_id: parent, filters } });
  return files.map(({ name }) => name).toSorted();
}

export async function folder(member: Member, name: string): Promise<string> {
  const { file } = await member.call(driveApi.create, {
    body: { kind: 'drive#folder', name, parent_id: '' },
  });
  return file!.id;
}

export const arrived = (member: Member, parent: string, names: readonly string[]): Promise<unknown> =>
  eventually(async () => JSON.stringify(await namesIn(member, parent)) === JSON.stringify(names));

/** Opens a server that may fetch from this machine; one of its own if it has settings of its own. */
export async function open(
  dialect: 'sqlite' | 'postgres',
  environment?: Record<string, string>,
  edges: Parameters<typeof openTestApp>[0] = {},
): Promise<TestApp> {
  if (!environment) return shared(dialect);
  const app = await openTestApp({
    ...edges,
    dialect,
    environment: { ...LOOPBACK_ALLOWED, ...environment },
  });
  app.start();
  return app;
}
