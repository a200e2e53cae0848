import { Check, Gift } from 'lucide-react';
import { Form, useNavigation } from 'react-router';
import type { checkInApi, ReplyOf } from '@bowerbird/contract';
import { useOffers } from '#app/api/offers.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';

/** Rewards for what a member does once: what is to be done, what can be claimed, and what was received. */
export function TaskRewardList({
  statuses,
  isMember,
}: {
  statuses: ReplyOf<typeof checkInApi.tasks>['data'];
  isMember: boolean;
}) {
  const t = useT();
  const path = useLocalePath();
  const navigation = useNavigation();
  const { tasks: offer } = useOffers();
  if (!offer) return null;
  return (
    <section aria-labelledby="tasks" className="mt-8 max-w-[40em]">
      <h2 id="tasks" className="text-16 font-semibold">
        {t('checkIn.tasks')}
      </h2>
      <ul className="mt-2 divide-y divide-line">
        {offer.rewards.map(({ scene, days }) => {
          const status = statuses[scene];
          return (
            <li key={scene} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
              <span className="min-w-0 flex-1 basis-50">
                {t(`checkIn.task.${scene}`)}
                <span className="mt-0.5 flex items-center gap-2 text-13 font-medium tabular-nums">
                  <Gift aria-hidden="true" className="text-gold" />
                  {t('checkIn.reward', { count: days, plan: offer.plan })}
                </span>
              </span>
              {!isMember ? null : status?.rewarded ? (
                <span role="status" className="flex items-center gap-2 font-medium text-success">
                  <Check aria-hidden="true" />
                  {t('checkIn.task.claimed')}
                </span>
              ) : status?.result === 'done' ? (
                <Form method="post" action={path('/check-in')} preventScrollReset>
                  <Button
                    type="submit"
                    name="type"
                    value={scene}
                    variant="primary"
                    busy={navigation.formData?.get('type') === scene}
                  >
                    {t('checkIn.task.claim')}
                  </Button>
                </Form>
              ) : (
                <Button href="/drive/all">{t('checkIn.task.start')}</Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
