import { setTimeout as sleep } from 'node:timers/promises';
import {
  driveApi,
  offlineApi,
  taskApi,
  type InputOf,
  type ResourceList,
  type Task,
} from '@bowerbird/contract';
import type { Member, Person } from './member.ts';
import type { TestApp } from './test-app.ts';

/** Downloads a link into the default folder; `more.url` contains further options. */
export async function fetchLink(member: Member, url: string, more: { url?: object } = {}): Promise<Task> {
  const { task } = await member.call(driveApi.create, {
    body: {
      kind: 'drive#file',
      upload_type: 'UPLOAD_TYPE_URL',
      parent_id: '',
      folder_type: 'DOWNLOAD',
      url: { url, ...more.url },
    },
  });
  return task!;
}

/** Lists all download tasks of a member. */
export async function offlineTasks(member: Member): Promise<Task[]> {
  const { tasks } = await member.call(taskApi.list, { query: { type: 'offline', limit: 10_000 } });
  return tasks;
}

/** Waits until the task has reached a phase; throws if it fails before. */
export async function taskUntil(
  member: Member,
  id: string,
  phase: Task['phase'],
  seconds = 15,
): Promise<Task> {
  let task: Task | undefined;
  for (let tries = 0; tries < seconds * 10; tries++) {
    task = await member.call(taskApi.get, { params: { id } });
    if (task.phase === phase) return task;
    if (task.phase === 'PHASE_TYPE_ERROR') break;
    await sleep(100);
  }
  throw new Error(`The task is ${task?.phase} (${task?.message}), not ${phase}`);
}

export const taskComplete = (member: Member, id: string): Promise<Task> =>
  taskUntil(member, id, 'PHASE_TYPE_COMPLETE');

/** Waits until a condition is true. */
export async function eventually(look: () => Promise<boolean>, seconds = 10): Promise<void> {
  for (let tries = 0; tries < seconds * 10; tries++) {
    if (await look()) return;
    await sleep(100);
  }
  throw new Error('Gave up waiting');
}

export async function contentOf(app: TestApp, member: Member, id: string): Promise<Buffer> {
  const { web_content_link: link } = await member.call(driveApi.get, { params: { id }, query: {} });
  const { pathname, search } = new URL(link);
  return (await app.http.inject({ url: pathname + search })).rawPayload;
}

export const usage = async (member: Member): Promise<number> =>
  Number((await member.call(driveApi.about, { query: {} })).quota.usage);

/** Returns the inspection results of links once all are available. */
export async function looked(
  person: Person,
  body: InputOf<typeof offlineApi.inspect>['body'],
): Promise<ResourceList> {
  let found = await person.call(offlineApi.inspect, { body });
  for (let tries = 0; tries < 150; tries++) {
    if (found.list.resources.every(({ meta }) => meta['status'] !== '0')) return found;
    await sleep(200);
    found = await person.call(offlineApi.inspectMore, { params: { list_id: found.list_id }, query: {} });
  }
  throw new Error('The inspection of the links did not end');
}
