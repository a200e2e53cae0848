import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { StorageAmount, type Storage } from '#app/membership/index.ts';
import { Button } from '#app/ui/button.tsx';

/** Names of plans; a plan's end is `""` if it doesn't end. */
export type HeldPlans = readonly { readonly name: string; readonly expire: string }[];

/** The plans of a member with their ends; the free plan if there is no other. */
export function PlanNames({ held, className }: { held: HeldPlans; className?: string }) {
  const t = useT();
  const plans = held.length > 0 ? held : [{ name: t('apps.shop.free'), expire: '' }];
  return (
    <ul className={className}>
      {plans.map(({ name, expire }) => (
        <li key={name}>
          <p className="text-20 font-[650] wrap-anywhere">{name}</p>
          {expire !== '' && (
            <p className="text-13 text-ink-2 tabular-nums">
              {t.rich('apps.shop.until', { date: <DateTime at={expire} as="date" /> })}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The plan and the storage of a member, in one line on wide screens. */
export function ShopStatus({
  held,
  storage,
  isRenewable,
}: {
  held: HeldPlans;
  storage: Storage;
  /** True if plans can renew automatically, which is managed on a page of its own. */
  isRenewable: boolean;
}) {
  const t = useT();
  return (
    <section
      aria-label={t('apps.shop.plan')}
      className="grid items-center gap-x-8 gap-y-4 rounded-card border border-line bg-card p-5 max-md:p-4 sm:grid-cols-[auto_minmax(0,1fr)_auto]"
    >
      <div>
        <p className="text-13 text-ink-2">{t('apps.shop.plan')}</p>
        <PlanNames held={held} className="grid gap-2" />
      </div>
      <div className="grid gap-2 text-13">
        <StorageAmount storage={storage} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="s" href="/drive/storage">
          {t('drive.planEnded.details')}
        </Button>
        {isRenewable && (
          <Button size="s" href="/drive/payment">
            {t('payment.renewal.title')}
          </Button>
        )}
        <Button size="s" href="/drive/payment/orders">
          {t('payment.orders')}
        </Button>
      </div>
    </section>
  );
}
