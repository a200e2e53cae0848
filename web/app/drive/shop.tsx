import { Ticket } from 'lucide-react';
import { driveApi, membershipApi, type Transfer } from '@bowerbird/contract';
import { useOffers } from '#app/api/offers.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { PageTitle } from '#app/page/page-title.tsx';
import type { Route } from './+types/shop';
import { useDriveFrame } from './drive-frame.tsx';
import { PlaceBar } from './top-bar.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const [about, { data: plan }, { transfer }] = await Promise.all([
    call(driveApi.about, { query: {} }),
    call(membershipApi.info, {}),
    call(membershipApi.quantities, { query: { type: 'transfer' } }),
  ]);
  return {
    used: Number(about.quota.usage),
    limit: Number(about.quota.limit),
    plans: plan.vipItem.map(({ description, expire }) => ({ name: description, expires: expire })),
    transfer,
  };
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('site')]);
  return answer;
}

const KINDS = ['upload', 'download', 'offline'] as const;

/**
 * Plan and storage usage, as apps show them inside themselves; with `hide_header` without the drive's own bars.
 */
export default function Shop({ loaderData: { used, limit, plans, transfer } }: Route.ComponentProps) {
  const t = useT();
  const format = useFormat();
  const { openRedeemBox } = useDriveFrame();
  const isSelling = useOffers().products.length > 0;
  return (
    <>
      <PageTitle title={t('apps.shop.title')} noIndex />
      <PlaceBar title={t('apps.shop.title')} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-200 gap-4 px-6 pt-6 pb-24 max-md:px-4 max-md:pt-4">
          <Card title={t('apps.shop.plan')}>
            <ul className="grid gap-2">
              {(plans.length > 0 ? plans : [{ name: t('apps.shop.free'), expires: '' }]).map(
                ({ name, expires }) => (
                  <li key={name}>
                    <p className="text-28 font-[650] wrap-anywhere">{name}</p>
                    {expires !== '' && (
                      <p className="mt-1 text-ink-2 tabular-nums">
                        {t.rich('apps.shop.until', { date: <DateTime at={expires} as="date" /> })}
                      </p>
                    )}
                  </li>
                ),
              )}
            </ul>
            {!isSelling && <p className="mt-3 text-ink-2">{t('apps.shop.notSold')}</p>}
            <div className="mt-4 flex flex-wrap gap-2">
              {isSelling && (
                <Button variant="primary" href="/drive/payment">
                  {t('payment.title')}
                </Button>
              )}
              {openRedeemBox && (
                <Button icon={<Ticket />} onClick={openRedeemBox}>
                  {t('redeem.title')}
                </Button>
              )}
              <Button href="/contact-us?topic=account">{t('apps.shop.ask')}</Button>
            </div>
          </Card>
          <Card title={t('drive.storage')}>
            <Meter value={limit > 0 ? used / limit : 0} label={t('drive.storage')} />
            <p className="mt-2 text-ink-2 tabular-nums">
              {t('drive.storageUsed', { used: format.bytes(used), limit: format.bytes(limit) })}
            </p>
            <div className="mt-4">
              <Button href="/drive/storage">{t('ledger.title', { size: format.bytes(limit) })}</Button>
            </div>
          </Card>
          <Card title={t('apps.shop.month')}>
            <ul className="grid gap-4">
              {KINDS.map((kind) => (
                <Moved key={kind} name={t(`apps.shop.${kind}`)} transfer={transfer[kind]} />
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </>
  );
}

function Moved({ name, transfer: { assets, total_assets: most } }: { name: string; transfer: Transfer }) {
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
