import {
  ApiFailure,
  LIMITS,
  pageSize,
  PHASES,
  TASK_TYPES,
  taskApi,
  type File,
  type Phase,
  type TaskType,
} from '@bowerbird/contract';
import type { Cursors, Database } from '../foundation/database/index.ts';
import type { Api, Caller, Member } from '../foundation/http/index.ts';
import type { Tasks } from './task-service.ts';
import { taskView } from './task-view.ts';
import { isFinished, type TaskRow } from './task.ts';

const RUNNING_POLL_SECONDS = 3;
const IDLE_POLL_SECONDS = 10;
/** Page limit; some clients request 10,000 at once. */
const MOST = 1000;

/** Phases that a `filters` text requests; undefined for all. */
function phasesOf(filters: string | undefined): Phase[] | undefined {
  if (!filters) return undefined;
  let parsed: { phase?: { in?: unknown; eq?: unknown } };
  try {
    parsed = JSON.parse(filters) as typeof parsed;
  } catch {
    throw new ApiFailure('invalid_argument', { field: 'filters' });
  }
  const asked = parsed?.phase?.in ?? parsed?.phase?.eq;
  if (asked === undefined) return undefined;
  if (typeof asked !== 'string') throw new ApiFailure('invalid_argument', { field: 'filters' });
  const names = asked.split(',');
  return PHASES.filter((phase) => names.includes(phase));
}

/** The type of a name; empty if there is none. */
const typesCalled = (name: string): TaskType[] => TASK_TYPES.filter((type) => type === name);

/** Returns the live ones of an account's files, by id. */
export type References = (
  viewer: Member,
  caller: Caller,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, File>>;

export function mountTasks(
  api: Api,
  {
    tasks,
    database,
    cursors,
    references,
  }: { tasks: Tasks; database: Database; cursors: Cursors; references: References },
): void {
  api.handle(taskApi.list, async ({ query, viewer, caller }) => {
    const size = pageSize(query.limit, LIMITS.page, MOST);
    const list = `tasks:${viewer.account}:${query.type ?? ''}:${query.filters ?? ''}`;
    const found = await tasks.list(database, viewer.account, {
      types: query.type ? typesCalled(query.type) : undefined,
      phases: phasesOf(query.filters),
      place: cursors.place(list, query.page_token),
      limit: size + 1,
    });
    const page = found.slice(0, size);
    const withFiles = query.with === 'reference_resource' || query.with_reference_resource === 'true';
    const ids = page.map(({ fileId }) => fileId).filter((id) => id !== '');
    const files = withFiles ? await references(viewer, caller, ids) : undefined;
    const referenceOf = ({ fileId }: TaskRow): File | null | undefined =>
      files && fileId !== '' ? (files.get(fileId) ?? null) : undefined;
    const seconds = page.some((task) => !isFinished(task.phase)) ? RUNNING_POLL_SECONDS : IDLE_POLL_SECONDS;
    return {
      tasks: page.map((task) => taskView(task, caller.locale, referenceOf(task))),
      next_page_token: found.length > size ? cursors.token(list, [page.at(-1)!.id]) : '',
      expires_in: seconds,
      expires_in_ms: seconds * 1000,
    };
  });

  api.handle(taskApi.count, async ({ query, viewer }) => ({
    counts: await tasks.count(database, viewer.account, query.type ? typesCalled(query.type) : undefined),
  }));

  api.handle(taskApi.clear, { underKey: 'joined' }, async ({ body, viewer }) => {
    await tasks.clear(viewer.account, typesCalled(body.type), body.phase);
    return {};
  });

  api.handle(taskApi.get, async ({ params, viewer, caller }) => {
    const task = await tasks.find(database, viewer.account, params.id);
    if (!task) throw new ApiFailure('task_not_found');
    return taskView(task, caller.locale);
  });

  api.handle(taskApi.remove, { underKey: 'joined' }, async ({ query, viewer }) => {
    await tasks.remove(
      viewer.account,
      [query.task_ids]
        .flat()
        .flatMap((ids) => ids.split(','))
        .filter((id) => id !== ''),
      { withFiles: query.delete_files === 'true' },
    );
    return {};
  });
}
