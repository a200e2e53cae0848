import { useState } from 'react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { adminMembershipApi, type CodeBatch, type InputOf } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { SettingsTitle } from '#app/page/settings.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import type { Route } from './+types/codes';
import { BatchRow } from './batch-row.tsx';
import { CodeForm } from './code-form.tsx';

const PAGE = 20;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const { plans } = await call(adminMembershipApi.plans, {});
  if (plans.length === 0) throw pageNotFound(url.pathname);
  return { plans, page: await call(adminMembershipApi.batches, { query: { limit: PAGE } }) };
}

/** Batches of activation codes: creating, exporting and ending them. */
export default function CodesPage({ loaderData: { plans, page } }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const errorText = useErrorText();
  const [isCreating, setCreating] = useState(false);
  const [ending, setEnding] = useState<CodeBatch>();
  const [isBusy, setBusy] = useState(false);
  const list = useInfiniteQuery({
    queryKey: ['admin', 'codes'],
    queryFn: ({ pageParam }) =>
      call(adminMembershipApi.batches, { query: { limit: PAGE, page_token: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_page_token || undefined,
    initialData: { pages: [page], pageParams: [''] },
  });
  const batches = list.data.pages.flatMap((one) => one.batches);

  const act = async (work: () => Promise<unknown>, said: string): Promise<void> => {
    setBusy(true);
    try {
      await work();
      toast.show({ text: said, tone: 'success' });
      setCreating(false);
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    }
    await client.invalidateQueries({ queryKey: ['admin', 'codes'] });
    setEnding(undefined);
    setBusy(false);
  };
  const create = (body: InputOf<typeof adminMembershipApi.createBatch>['body']): Promise<void> =>
    act(
      () => call(adminMembershipApi.createBatch, { body }),
      t('admin.said.codesCreated', { count: body.count }),
    );

  return (
    <>
      <PageTitle title={t('admin.codes')} noIndex />
      <SettingsTitle text={t('admin.codes.text')}>{t('admin.codes')}</SettingsTitle>
      <Button variant="primary" onClick={() => setCreating(true)}>
        {t('admin.codes.create')}
      </Button>
      {batches.length === 0 ? (
        <EmptyState title={t('admin.codes.none')} />
      ) : (
        <ul className="mt-4 rounded-card border border-line bg-card">
          {batches.map((batch) => (
            <BatchRow key={batch.id} batch={batch} onEnd={() => setEnding(batch)} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button className="mt-4" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('admin.more')}
        </Button>
      )}
      {isCreating && (
        <CodeForm
          plans={plans}
          isBusy={isBusy}
          onClose={() => setCreating(false)}
          onCreate={(body) => void create(body)}
        />
      )}
      {ending && (
        <ConfirmDialog
          isOpen
          isDanger
          busy={isBusy}
          title={t('admin.codes.endTitle')}
          text={t('admin.codes.endText')}
          confirmLabel={t('admin.codes.endConfirm')}
          onClose={() => setEnding(undefined)}
          onConfirm={() =>
            void act(
              () => call(adminMembershipApi.endBatch, { params: { id: ending.id } }),
              t('admin.said.codesEnded'),
            )
          }
        />
      )}
    </>
  );
}
