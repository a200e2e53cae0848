import { useState } from 'react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { shareApi, type OwnShare } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { loadOwnShares, OWN_SHARES, type OwnSharePage } from './own-shares-query.ts';
import { ShareDialog } from './share-dialog.tsx';
import { ShareRow } from './share-row.tsx';

/** Member's shares, or one of them: usage figures, and controls to change or delete each. */
export function OwnShares({
  shareId,
  first,
}: {
  /** Id of the only share to list; '' lists all. */
  readonly shareId: string;
  /** First page, if the server rendered it. */
  readonly first: OwnSharePage | undefined;
}) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const text = useErrorText();
  const [edited, setEdited] = useState<OwnShare>();
  const [cancelled, setCancelled] = useState<OwnShare>();
  const shares = useInfiniteQuery({
    queryKey: [...OWN_SHARES, shareId],
    queryFn: ({ pageParam }) => loadOwnShares(call, shareId, pageParam),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token || undefined,
    ...(first ? { initialData: { pages: [first], pageParams: [''] } } : {}),
  });
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: OWN_SHARES });
  const told = {
    onError: (error: unknown) => void toast.show({ text: text(error), tone: 'danger' }),
    onSettled: refresh,
  };
  const cancel = useMutation({
    mutationFn: (share: OwnShare) =>
      call(shareApi.cancel, { params: { id: share.share_id } }, { idempotencyKey: randomHex() }),
    onSuccess: () => void toast.show({ text: t('drive.shares.cancelled') }),
    ...told,
  });
  const pause = useMutation({
    mutationFn: ({ share, paused }: { share: OwnShare; paused: boolean }) =>
      call(shareApi.edit, { body: { share_id: share.share_id, paused } }, { idempotencyKey: randomHex() }),
    onSuccess: (_, { share, paused }) =>
      void toast.show({
        text: paused ? t('drive.shares.paused') : t('drive.shares.resumed'),
        undo: { label: t('drive.undo'), run: () => pause.mutate({ share, paused: !paused }) },
      }),
    ...told,
  });
  const rows = shares.data?.pages.flatMap((page) => page.data) ?? [];

  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-24 max-md:px-4">
        {shares.isError && (
          <EmptyState
            title={t('drive.failed.title')}
            text={text(shares.error)}
            actions={<Button onClick={() => void shares.refetch()}>{t('ui.retry')}</Button>}
          />
        )}
        {shares.isSuccess && rows.length === 0 && shareId === '' && (
          <EmptyState title={t('drive.shares.emptyTitle')} text={t('drive.shares.emptyText')} />
        )}
        {shares.isSuccess && rows.length === 0 && shareId !== '' && (
          <EmptyState title={t('drive.shares.cancelled')} actions={<AllShares />} />
        )}
        {rows.length > 0 && (
          <ul className="overflow-hidden rounded-card border border-line bg-card">
            {rows.map((share) => (
              <ShareRow
                key={share.share_id}
                share={share}
                onEdit={() => setEdited(share)}
                onPause={() => pause.mutate({ share, paused: !share.paused })}
                onCancel={() => setCancelled(share)}
              />
            ))}
          </ul>
        )}
        {rows.length > 0 && shareId !== '' && (
          <p className="py-6 text-center">
            <AllShares />
          </p>
        )}
        {shares.hasNextPage && (
          <div className="grid justify-center py-6">
            <Button busy={shares.isFetchingNextPage} onClick={() => void shares.fetchNextPage()}>
              {t('drive.shares.more')}
            </Button>
          </div>
        )}
      </div>
      {edited && <ShareDialog subject={{ share: edited }} onClose={() => setEdited(undefined)} />}
      <ConfirmDialog
        isOpen={cancelled !== undefined}
        onClose={() => setCancelled(undefined)}
        isDanger
        title={t('drive.shares.cancelTitle')}
        text={t('drive.shares.cancelText', { title: cancelled?.title ?? '' })}
        confirmLabel={t('drive.shares.cancel')}
        cancelLabel={t('drive.shares.keep')}
        onConfirm={() => {
          if (cancelled) cancel.mutate(cancelled);
          setCancelled(undefined);
        }}
      />
    </>
  );
}

function AllShares() {
  const t = useT();
  return <Button href="/drive/shares">{t('drive.shares.all')}</Button>;
}
