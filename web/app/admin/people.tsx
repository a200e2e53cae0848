import { useState } from 'react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { adminApi, adminMembershipApi, type Person } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { SettingsTitle } from '#app/page/settings.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import type { Route } from './+types/people';
import { PersonRow } from './person-row.tsx';
import { PlanForm } from './plan-form.tsx';
import { StorageForm } from './storage-form.tsx';

const TABS = ['all', 'waiting', 'frozen', 'review'] as const;
type Tab = (typeof TABS)[number];
const tabNamed = (name: string | null): Tab => TABS.find((tab) => tab === name) ?? 'all';
const filterOf = (tab: Tab) => (tab === 'all' ? {} : { status: tab });

export async function loader({ context, url }: Route.LoaderArgs) {
  const tab = tabNamed(url.searchParams.get('status'));
  const { call } = context.get(pageServices);
  const [page, { plans }] = await Promise.all([
    call(adminApi.people, { query: filterOf(tab) }),
    call(adminMembershipApi.plans, {}),
  ]);
  return { tab, page, plans };
}

/** Action that needs confirmation. */
type Question = {
  readonly action: 'decline' | 'freeze' | 'storage' | 'plan' | 'endPlans';
  readonly person: Person;
};
type Confirmed = 'decline' | 'freeze' | 'endPlans';

const CONFIRMED = {
  decline: { call: adminApi.decline, said: 'admin.said.declined' },
  freeze: { call: adminApi.freeze, said: 'admin.said.frozen' },
  endPlans: { call: adminMembershipApi.endPlans, said: 'admin.said.plansEnded' },
} as const;
const isConfirmed = (action: Question['action'] | undefined): action is Confirmed =>
  action !== undefined && Object.hasOwn(CONFIRMED, action);

/** All accounts: pending approvals, storage used, and the actions of an administrator. */
export default function PeoplePage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const tab = tabNamed(query.get('status'));
  const [question, setQuestion] = useState<Question>();
  const [busy, setBusy] = useState<string>();
  const list = useInfiniteQuery({
    queryKey: ['admin', 'people', tab],
    queryFn: ({ pageParam }) => call(adminApi.people, { query: { ...filterOf(tab), page_token: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token || undefined,
    ...(loaderData.tab === tab ? { initialData: { pages: [loaderData.page], pageParams: [''] } } : {}),
  });
  const people = list.data?.pages.flatMap((page) => page.people) ?? [];

  const act = async (id: string, work: () => Promise<unknown>, said: string): Promise<void> => {
    setBusy(id);
    try {
      await work();
      toast.show({ text: said, tone: 'success' });
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    }
    await client.invalidateQueries({ queryKey: ['admin', 'people'] });
    setQuestion(undefined);
    setBusy(undefined);
  };
  const of = ({ id }: Person) => ({ params: { id } });
  const confirm = (action: Confirmed, person: Person): Promise<void> => {
    const { call: spec, said } = CONFIRMED[action];
    return act(person.id, () => call(spec, of(person)), t(said, { name: person.name }));
  };

  return (
    <>
      <PageTitle title={t('admin.people')} noIndex />
      <SettingsTitle>{t('admin.people')}</SettingsTitle>
      <Tabs
        label={t('admin.people')}
        selected={tab}
        onSelect={(next) =>
          void navigate({ search: next === 'all' ? '' : `?status=${next}` }, { replace: true })
        }
        tabs={TABS.map((id) => ({ id, label: t(`admin.tab.${id}`) }))}
      >
        {people.length === 0 && !list.isPending ? (
          <EmptyState title={t('admin.nobody')} />
        ) : (
          <ul className="mt-4 rounded-card border border-line bg-card">
            {people.map((person) => (
              <PersonRow
                key={person.id}
                person={person}
                isBusy={busy === person.id}
                actions={{
                  admit: () =>
                    void act(
                      person.id,
                      () => call(adminApi.admit, of(person)),
                      t('admin.said.admitted', { name: person.name }),
                    ),
                  decline: () => setQuestion({ action: 'decline', person }),
                  freeze: () => setQuestion({ action: 'freeze', person }),
                  thaw: () =>
                    void act(
                      person.id,
                      () => call(adminApi.thaw, of(person)),
                      t('admin.said.thawed', { name: person.name }),
                    ),
                  storage: () => setQuestion({ action: 'storage', person }),
                  plan:
                    loaderData.plans.length > 0 ? () => setQuestion({ action: 'plan', person }) : undefined,
                  endPlans: () => setQuestion({ action: 'endPlans', person }),
                }}
              />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <Button className="mt-4" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('admin.more')}
          </Button>
        )}
      </Tabs>
      {question?.action === 'storage' && (
        <StorageForm
          person={question.person}
          isBusy={busy !== undefined}
          onClose={() => setQuestion(undefined)}
          onSet={(bytes) =>
            void act(
              question.person.id,
              () =>
                call(adminApi.setStorage, { ...of(question.person), body: { storage_limit: String(bytes) } }),
              t('admin.said.storage', { name: question.person.name }),
            )
          }
        />
      )}
      {question?.action === 'plan' && (
        <PlanForm
          person={question.person}
          plans={loaderData.plans}
          isBusy={busy !== undefined}
          onClose={() => setQuestion(undefined)}
          onGive={({ id, name }, days) =>
            void act(
              question.person.id,
              () => call(adminMembershipApi.grantPlan, { ...of(question.person), body: { plan: id, days } }),
              t('admin.said.planGiven', { name: question.person.name, plan: name }),
            )
          }
        />
      )}
      {question && isConfirmed(question.action) && (
        <ConfirmDialog
          isOpen
          isDanger
          busy={busy !== undefined}
          title={t(`admin.${question.action}.title`, { name: question.person.name })}
          text={t(`admin.${question.action}.text`)}
          confirmLabel={t(`admin.${question.action}`)}
          onClose={() => setQuestion(undefined)}
          onConfirm={() => void confirm(question.action as Confirmed, question.person)}
        />
      )}
    </>
  );
}
