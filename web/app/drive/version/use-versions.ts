import { useInfiniteQuery } from '@tanstack/react-query';
import { driveApi, type File, type Version } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { useContentChanged, VERSIONS } from './use-content-changed.ts';

const PAGE = 50;

/** Earlier versions of a file, the newest first, a page at a time. */
export function useVersions({ id }: Pick<File, 'id'>) {
  const call = useCall();
  return useInfiniteQuery({
    queryKey: [VERSIONS, id],
    queryFn: ({ pageParam }) =>
      call(driveApi.versions, { params: { id }, query: { limit: PAGE, page_token: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token || undefined,
  });
}

/** Changes of a file's versions. Each reports its result, and refreshes what shows the file. */
export interface VersionChanges {
  /** Makes a version the content of the file; can be undone. */
  restore(version: Pick<Version, 'id'>): Promise<void>;
  change(version: Version, change: { label?: string; keep_forever?: boolean }): Promise<void>;
  remove(version: Version): Promise<void>;
  /** Deletes all versions except those with a name and those kept forever. */
  clear(): Promise<void>;
}

export function useVersionChanges({ id }: Pick<File, 'id'>): VersionChanges {
  const call = useCall();
  const contentChanged = useContentChanged();
  const t = useT();
  const fail = useFailureToast();
  const once = () => ({ idempotencyKey: randomHex() });
  const of = (version: Pick<Version, 'id'>) => ({ params: { id, version_id: version.id } });
  const doing = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      fail(error);
    } finally {
      contentChanged(id);
    }
  };

  return {
    restore: (version) =>
      doing(async () => {
        const { version_id: former } = await call(driveApi.restoreVersion, of(version), once());
        const undo = (): void =>
          void doing(async () => {
            await call(driveApi.restoreVersion, of({ id: former }), once());
          });
        toast.show({
          text: t('drive.history.restored'),
          ...(former === '' ? {} : { undo: { label: t('drive.undo'), run: undo } }),
        });
      }),
    change: (version, body) =>
      doing(async () => {
        await call(driveApi.changeVersion, { ...of(version), body }, once());
      }),
    remove: (version) =>
      doing(async () => {
        await call(driveApi.removeVersion, of(version), once());
        toast.show({ text: t('drive.history.deleted', { count: 1 }) });
      }),
    clear: () =>
      doing(async () => {
        const { removed } = await call(driveApi.clearVersions, { params: { id } }, once());
        toast.show({ text: t('drive.history.deleted', { count: removed }) });
      }),
  };
}
