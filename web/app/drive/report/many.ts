import { ApiFailure, driveApi, type ApiCall } from '@bowerbird/contract';
import { callPatiently } from '#app/api/client.ts';
import { finished } from '#app/api/tasks.ts';
import { randomHex } from '#app/browser/device.ts';
import { inPieces } from './in-pieces.ts';
import { reports, type Report } from './reports.ts';

type Batch = typeof driveApi.trash | typeof driveApi.untrash | typeof driveApi.removeMany;
type Work = (some: readonly string[]) => Promise<void>;
type Done = { text: string; undo?: () => Promise<void> } | undefined;

interface ManyOptions {
  /** Processes at most one batch of items, all of them or none. */
  readonly work: Work;
  /** Reports success for a number of items. */
  readonly text: (count: number) => string;
  readonly undo?: (done: readonly string[]) => Promise<void>;
}

/** Operations on many items, each of which may fail. */
export function createMany({
  call,
  doingAll,
  namesOf,
}: {
  readonly call: ApiCall;
  /** Runs an operation on a number of items, and reports it. */
  readonly doingAll: (count: number, work: () => Promise<Done>) => Promise<void>;
  readonly namesOf: (ids: readonly string[]) => ReadonlyMap<string, string>;
}) {
  const once = () => ({ idempotencyKey: randomHex() });
  const ended = async (task: Promise<{ task_id: string }>): Promise<void> =>
    void (await finished(callPatiently, (await task).task_id));
  const batch =
    (spec: Batch): Work =>
    (some) =>
      ended(call(spec, { body: { ids: [...some] } }, once()));
  const moveTo =
    (folder: string): Work =>
    (some) =>
      ended(call(driveApi.move, { body: { ids: [...some], to: { parent_id: folder } } }, once()));
  /** Restores items to a folder, or to where they came from. */
  const restoreTo =
    (folder: string | undefined): Work =>
    (some) =>
      ended(
        call(
          driveApi.untrash,
          { body: { ids: [...some], ...(folder === undefined ? {} : { to: { parent_id: folder } }) } },
          once(),
        ),
      );
  /** Takes an operation back, as far as that is possible. */
  const each = async (spec: Batch, ids: readonly string[]): Promise<void> =>
    void (await inPieces(ids, batch(spec)));

  /**
   * Carries out an operation on many items; what failed becomes a report, from which it can be tried again. `begin` is
   * called for each try, so that each has its own undo.
   */
  function many(what: Report['what'], ids: readonly string[], begin: () => ManyOptions): Promise<void> {
    const { work, text, undo } = begin();
    return doingAll(ids.length, async () => {
      const names = namesOf(ids);
      const failures = await inPieces(ids, work);
      const [only] = failures.values();
      // The error says it all.
      if (ids.length === 1 && only) throw new ApiFailure(only);
      const done = ids.filter((id) => !failures.has(id));
      if (failures.size > 0)
        reports.show({
          what,
          done: done.length,
          failures: [...failures].map(([id, error]) => ({ id, name: names.get(id), error })),
          retry: () => void many(what, [...failures.keys()], begin),
        });
      if (done.length === 0) return undefined;
      return { text: text(done.length), ...(undo && { undo: () => undo(done) }) };
    });
  }

  return { batch, moveTo, restoreTo, each, many };
}
