import { useEffect, useMemo, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import {
  ApiFailure,
  archiveApi,
  decompressApi,
  driveApi,
  type ApiCall,
  type DecompressStatus,
  type File,
} from '@bowerbird/contract';
import { callPatiently, useCall } from '#app/api/client.ts';
import { randomHex } from '#app/browser/device.ts';
import { errorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import type { WireSelection } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { fetchFile } from '#app/browser/fetch-file.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { finished, madeIds } from '#app/api/tasks.ts';
import { ABOUT } from '#app/membership/index.ts';
import { LISTINGS } from './drive-data.ts';
import { inPieces } from './report/in-pieces.ts';
import { createMany } from './report/many.ts';
import { knownNames } from './report/known-names.ts';

/** Operations of a member on the drive. Each reports its result, offers undo, and refreshes the page. */
export interface Operations {
  /** Returns an error to show beside the field, or `undefined` on success. */
  rename(file: Pick<File, 'id' | 'name'>, name: string): Promise<string | undefined>;
  createFolder(parent: string, name: string): Promise<{ id: string } | { error: string }>;
  /** `from` returns the previous folder of each, for undo. */
  move(ids: readonly string[], from: (id: string) => string, to: string): Promise<void>;
  copy(ids: readonly string[], to: string): Promise<void>;
  trash(ids: readonly string[]): Promise<void>;
  /** Restores to a folder, or to where each came from. */
  untrash(ids: readonly string[], to?: string): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** `count`: number of entries in the trash. */
  emptyTrash(count: number): Promise<void>;
  star(ids: readonly string[], starred: boolean): Promise<void>;
  /**
   * Starts to extract an archive beside it, and reports it; returns `undefined` if that failed, which is reported
   * as well.
   */
  extract(
    file: Pick<File, 'id' | 'name'>,
    password: string,
    /** Paths to extract; everything if omitted. */
    paths?: readonly string[],
  ): Promise<DecompressStatus | undefined>;
  /** Downloads one file as is. */
  downloadFile(id: string): Promise<void>;
  /** Downloads folders and several entries as archives, one for each batch. */
  downloadPacked(selections: readonly WireSelection[]): Promise<void>;
}

/** Delay after which a running operation is reported. */
const SLOW_MS = 400;
const FRESH_MS = 60_000;

export function useOperations(): Operations {
  const call = useCall();
  const client = useQueryClient();
  const t = useT();
  const failureToast = useFailureToast();
  const fail = useRef(failureToast);
  useEffect(() => {
    fail.current = failureToast;
  });
  return useMemo(
    () =>
      createOperations(call, { t, fail: (error) => fail.current(error), namesOf: knownNames(client) }, () => {
        void client.invalidateQueries({ queryKey: LISTINGS });
        void client.invalidateQueries({ queryKey: ABOUT });
        void client.invalidateQueries({ queryKey: ['path'] });
      }),
    [call, client, t],
  );
}

function createOperations(
  call: ApiCall,
  {
    t,
    fail,
    namesOf,
  }: {
    t: ReturnType<typeof useT>;
    fail: (error: unknown) => void;
    namesOf: (ids: readonly string[]) => ReadonlyMap<string, string>;
  },
  refresh: () => void,
): Operations {
  const once = () => ({ idempotencyKey: randomHex() });

  /** Reports an operation with its undo; undoing is reported as well. */
  function say(text: string, takeBack?: () => Promise<void>): void {
    const run = (): void =>
      void quietly(async () => {
        await takeBack?.();
        toast.show({ text: t('drive.undone', { what: text }) });
      });
    toast.show({ text, ...(takeBack ? { undo: { label: t('drive.undo'), run } } : {}) });
  }
  /** Runs an operation, refreshes and reports it; an error is reported and nothing else happens. */
  async function doing(
    work: () => Promise<{ text: string; undo?: () => Promise<void> } | undefined>,
  ): Promise<void> {
    try {
      const done = await work();
      if (done) say(done.text, done.undo);
    } catch (error) {
      fail(error);
    } finally {
      refresh();
    }
  }
  /** Same for many items; a slow operation is reported while it runs. */
  async function doingAll(count: number, work: Parameters<typeof doing>[0]): Promise<void> {
    let silence = (): void => undefined;
    const slow = setTimeout(() => {
      silence = toast.show({ text: t('drive.working', { count }) });
    }, SLOW_MS);
    await doing(() =>
      work().finally(() => {
        clearTimeout(slow);
        silence();
      }),
    );
  }
  async function quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      fail(error);
    } finally {
      refresh();
    }
  }
  const { batch, moveTo, restoreTo, each, many } = createMany({ call, doingAll, namesOf });

  return {
    async rename(file, name) {
      try {
        await call(driveApi.rename, { params: { id: file.id }, body: { name } }, once());
      } catch (error) {
        return errorText(t, error);
      }
      refresh();
      say(t('drive.done.renamed', { name: shownName(name) }), async () => {
        await call(driveApi.rename, { params: { id: file.id }, body: { name: file.name } }, once());
      });
      return undefined;
    },

    async createFolder(parent, name) {
      try {
        const { file } = await call(
          driveApi.create,
          { body: { kind: 'drive#folder', parent_id: parent, name, conflict: 'fail' } },
          once(),
        );
        const { id } = file!;
        refresh();
        say(t('drive.done.created', { name: shownName(name) }), () => each(driveApi.trash, [id]));
        return { id };
      } catch (error) {
        return { error: errorText(t, error) };
      }
    },

    move: (ids, from, to) => {
      const before = new Map(ids.map((id) => [id, from(id)]));
      return many('move', ids, () => ({
        work: moveTo(to),
        text: (count) => t('drive.done.moved', { count }),
        async undo(done) {
          for (const [parent, some] of Map.groupBy(done, (id) => before.get(id) ?? ''))
            await inPieces(some, moveTo(parent));
        },
      }));
    },

    copy: (ids, to) =>
      many('copy', ids, () => {
        const made: string[] = [];
        let madeAt = 0;
        return {
          async work(some) {
            const { task_id } = await call(
              driveApi.copy,
              { body: { ids: [...some], to: { parent_id: to } } },
              once(),
            );
            made.push(...madeIds(await finished(callPatiently, task_id)));
            madeAt = Date.now();
          },
          text: (count) => t('drive.done.copied', { count }),
          // A copy that was only just created can be deleted for good; later somebody may have put something into
          // it.
          undo: () => each(Date.now() - madeAt < FRESH_MS ? driveApi.removeMany : driveApi.trash, made),
        };
      }),

    trash: (ids) =>
      many('trash', ids, () => ({
        work: batch(driveApi.trash),
        text: (count) => t('drive.done.trashed', { count }),
        undo: (done) => each(driveApi.untrash, done),
      })),

    untrash: (ids, to) =>
      many('restore', ids, () => ({
        work: restoreTo(to),
        text: (count) => t('drive.done.restored', { count }),
        undo: (done) => each(driveApi.trash, done),
      })),

    remove: (ids) =>
      many('remove', ids, () => ({
        work: batch(driveApi.removeMany),
        text: (count) => t('drive.done.removed', { count }),
      })),

    emptyTrash: (count) =>
      doingAll(count, async () => {
        await finished(callPatiently, (await call(driveApi.emptyTrash, {}, once())).task_id);
        return { text: t('drive.done.emptied') };
      }),

    star: (ids, starred) =>
      doingAll(ids.length, async () => {
        const set = async (on: boolean): Promise<void> => {
          await inPieces(ids, async (some) => {
            await call(on ? driveApi.star : driveApi.unstar, { body: { ids: [...some] } }, once());
          });
        };
        await set(starred);
        return {
          text: starred
            ? t('drive.done.starred', { count: ids.length })
            : t('drive.done.unstarred', { count: ids.length }),
          undo: () => set(!starred),
        };
      }),

    async extract({ id, name }, password, paths = []) {
      try {
        const begun = await call(
          decompressApi.decompress,
          { body: { file_id: id, password, files: paths.map((path) => ({ path })), default_parent: true } },
          once(),
        );
        if (begun.status === 'OK') {
          const silence = toast.show({ text: t('wire.extract.begun', { name: shownName(name) }) });
          void doing(async () => {
            const { file_id: folder } = await finished(callPatiently, begun.task_id).finally(silence);
            return {
              text: t('wire.extract.done', { name: shownName(name) }),
              undo: () => each(driveApi.trash, [folder]),
            };
          });
        } else if (begun.status === 'NEED_MORE_QUOTA')
          fail(new ApiFailure('file_space_not_enough', {}, begun.status_text));
        return begun.status;
      } catch (error) {
        fail(error);
        return undefined;
      }
    },

    downloadFile: (id) =>
      quietly(async () => {
        const file = await call(driveApi.get, { params: { id }, query: { usage: 'FETCH' } });
        fetchFile(file.web_content_link);
      }),

    downloadPacked: (selections) =>
      quietly(async () => {
        for (const body of selections) fetchFile((await call(archiveApi.pack, { body })).url);
      }),
  };
}
