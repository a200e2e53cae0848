import { useState, type ReactNode } from 'react';
import { inviteApi, type ReplyOf } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { errorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import type { Route } from './+types/referral';
import { InvitePanel } from './invite-panel.tsx';

/** Name of the place in the drive's bar. */
export const handle = { place: 'invite.title' };

type Info = ReplyOf<typeof inviteApi.info>;
type People = ReplyOf<typeof inviteApi.list>;

const PAGE = 20;

export async function loader({ context }: Route.LoaderArgs) {
  const { call, origin } = context.get(pageServices);
  const [info, people] = await Promise.all([
    call(inviteApi.info, {}),
    call(inviteApi.list, { query: { begin: 0, limit: PAGE } }),
  ]);
  return { info, people, origin };
}

/** Invitations of a member: the link, who signed up with it, the days earned, and the rules. */
export default function Referral({ loaderData: { info, people, origin } }: Route.ComponentProps) {
  const t = useT();
  return (
    <div className="mx-auto grid max-w-200 gap-4 px-6 pt-6 pb-24 max-md:px-4 max-md:pt-4">
      <PageTitle title={t('invite.title')} noIndex />
      <Card title={t('invite.link')}>
        <InvitePanel facts={info} origin={origin} isWide />
      </Card>
      <Card title={t('invite.people')}>
        <dl className="mb-4 flex flex-wrap gap-x-10 gap-y-3">
          <Figure label={t('invite.invited')}>{t('invite.count', { count: info.invited_nums })}</Figure>
          <Figure label={t('invite.earned')}>{t('invite.days', { count: info.add_days })}</Figure>
        </dl>
        <PeopleList first={people} />
      </Card>
      <Card title={t('invite.rules')}>
        <Rules info={info} />
      </Card>
    </div>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-13 text-ink-2">{label}</dt>
      <dd className="mt-0.5 text-20 font-[650] tabular-nums">{children}</dd>
    </div>
  );
}

function PeopleList({ first }: { first: People }) {
  const t = useT();
  const call = useCall();
  const [more, setMore] = useState<readonly People[]>([]);
  const [isBusy, setBusy] = useState(false);
  const pages = [first, ...more];
  const rows = pages.flatMap(({ data }) => data);
  const load = async (): Promise<void> => {
    setBusy(true);
    try {
      const page = await call(inviteApi.list, { query: { begin: rows.length, limit: PAGE } });
      setMore((known) => [...known, page]);
    } catch (error) {
      toast.show({ text: errorText(t, error), tone: 'danger' });
    } finally {
      setBusy(false);
    }
  };
  if (rows.length === 0) return <p className="text-ink-2">{t('invite.none')}</p>;
  return (
    <>
      <ul className="divide-y divide-line">
        {rows.map((person, at) => (
          // Names are masked, so two people may look the same.
          // eslint-disable-next-line react/no-array-index-key
          <li key={at} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2.5">
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{person.invited_user}</span>
            <span className="text-13 text-ink-2 tabular-nums">
              <DateTime at={person.time} as="date" />
            </span>
            <span className="basis-full text-13 text-ink-2">{stateText(t, person)}</span>
          </li>
        ))}
      </ul>
      {pages.at(-1)!.has_more && (
        <Button className="mt-3" busy={isBusy} onClick={() => void load()}>
          {t('invite.more')}
        </Button>
      )}
    </>
  );
}

function stateText(
  t: ReturnType<typeof useT>,
  { state, reward_days: days, reward_source: source }: People['data'][number],
): string {
  if (source === 'vip_rebate') return t('invite.plusPurchase', { count: days });
  if (days > 0) return t('invite.plusDays', { count: days });
  return state === 'waiting' ? t('invite.waiting') : t('invite.noDays');
}

function Rules({ info }: { info: Info }) {
  const t = useT();
  const isStoringRewarded = info.inviter_days > 0;
  const isBuyingRewarded = info.purchase_days > 0;
  const rules = [
    t('invite.rule.link'),
    ...(isStoringRewarded ? [t('invite.rule.stored')] : []),
    ...(isBuyingRewarded ? [t('invite.rule.purchase')] : []),
    ...(isStoringRewarded || isBuyingRewarded ? [t('invite.rule.most', { count: info.most_days })] : []),
    t('invite.rule.same'),
    t('invite.rule.names'),
  ];
  return (
    <ul className="grid list-disc gap-1.5 pl-5 text-ink-2">
      {rules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}
