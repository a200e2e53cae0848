import type { Transfer } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Meter } from '#app/ui/meter.tsx';

/** Storage and traffic of a member. */
export interface Standing {
  readonly used: number;
  readonly limit: number;
  readonly transfer: Readonly<Record<'upload' | 'download' | 'offline', Transfer>>;
}

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
  standing: { used, limit },
  isRenewable,
}: {
  held: HeldPlans;
  standing: Standing;
  /** True if plans can renew automatically, which is managed on a page of its own. */
  isRenewable: boolean;
}) {
  const t = useT();
  const format = useFormat();
  return (
    <section
      aria-label={t('apps.shop.plan')}
      className="grid items-center gap-x-8 gap-y-4 rounded-card border border-line bg-card p-5 max-md:p-4 sm:grid-cols-[auto_minmax(0,1fr)_auto]"
    >
      <div>
        <p className="text-13 text-ink-2">{t('apps.shop.plan')}</p>
        <PlanNames held={held} className="grid gap-2" />
      </div>
      <div>
        <Meter
          value={limit > 0 ? used / limit : 0}
          label={t('drive.storage')}
          tone={used >= limit ? 'danger' : used >= limit * NEARLY ? 'warning' : 'blue'}
        />
        <p className="mt-2 text-13 text-ink-2 tabular-nums">
          {t('drive.storageUsed', { used: format.bytes(used), limit: format.bytes(limit) })}
        </p>
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

/** Share of a limit from which its meter warns. */
const NEARLY = 0.9;

/** Traffic of the month by kind. */
export function Moved({
  name,
  transfer: { assets, total_assets: most },
}: {
  name: string;
  transfer: Transfer;
}) {
  const t = useT();
  const format = useFormat();
  return (
    <li>
      <div className="flex justify-between gap-4">
        <span className="text-ink-2">{name}</span>
        <span className="tabular-nums">
          {most < 0
            ? format.bytes(assets)
            : t('drive.storageUsed', { used: format.bytes(assets), limit: format.bytes(most) })}
        </span>
      </div>
      {most > 0 && <Meter value={assets / most} label={name} className="mt-2" />}
    </li>
  );
}
