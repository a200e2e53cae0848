import { driveApi, taskApi, type File, type InputOf } from '@bowerbird/contract';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { openTestApp, plant, type Member, type TestApp, type Tree } from './index.ts';

/** Opens a server for a suite, and gives each of its tests a new member with an empty drive. */
export function freshDrives(dialect: 'sqlite' | 'postgres') {
  let app: TestApp;
  let ann: Member;
  let counter = 0;
  beforeAll(async () => {
    app = await openTestApp({ dialect });
  });
  beforeEach(async () => {
    counter += 1;
    ann = await app.signUp(`ann-${counter}`);
  });
  afterAll(() => app.close());

  const grow = (tree: Tree) => plant(app, ann.id, tree);
  const names = async (parent = '', filters = '{"trashed":{"eq":false}}'): Promise<string[]> =>
    (
      await ann.call(driveApi.list, { query: { parent_id: parent, filters, limit: 1000, order: 'name_asc' } })
    ).files.map(({ name }) => name);
  const trashed = async (): Promise<File[]> =>
    (
      await ann.call(driveApi.list, {
        query: { parent_id: '*', filters: '{"trashed":{"eq":true}}', limit: 1000 },
      })
    ).files;
  const get = (id: string) => ann.call(driveApi.get, { params: { id }, query: {} });
  const usage = async (): Promise<number> =>
    Number((await ann.call(driveApi.about, { query: {} })).quota.usage);
  const done = async (reply: Promise<{ task_id: string }>): Promise<void> => {
    const task = await ann.call(taskApi.get, { params: { id: (await reply).task_id } });
    expect(task).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', progress: 100 });
  };
  const move = (body: InputOf<typeof driveApi.move>['body']) => ann.call(driveApi.move, { body });
  const copy = (body: InputOf<typeof driveApi.copy>['body']) => ann.call(driveApi.copy, { body });
  const trash = (...ids: string[]) => ann.call(driveApi.trash, { body: { ids } });
  const untrash = (...ids: string[]) => ann.call(driveApi.untrash, { body: { ids } });
  const remove = (...ids: string[]) => ann.call(driveApi.removeMany, { body: { ids } });
  const agrees = async (): Promise<void> => {
    await app.jobs.drain();
    expect(
      (await app.drive.check({ repair: false })).filter(
        ({ what, id }) =>
          what !== 'blob-missing' && what !== 'blob-forgotten' && (what.startsWith('node') || id === ann.id),
      ),
    ).toEqual([]);
  };

  return {
    get app() {
      return app;
    },
    get ann() {
      return ann;
    },
    grow,
    names,
    trashed,
    get,
    usage,
    done,
    move,
    copy,
    trash,
    untrash,
    remove,
    agrees,
  };
}
