import { Ticket } from 'lucide-react';
import { useOffers } from '#app/api/offers.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { Moved, PlanNames, type HeldPlans, type Standing } from './shop-status.tsx';

const KINDS = ['upload', 'download', 'offline'] as const;

/** The shop where nothing is sold: what a member has and uses. */
export function NoSales({
  held,
  standing: { used, limit, transfer },
}: {
  held: HeldPlans;
  standing: Standing;
}) {
  const t = useT();
  const format = useFormat();
  const { codes } = useOffers();
  return (
    <div className="mx-auto grid max-w-200 gap-4 px-6 pt-6 pb-24 max-md:px-4 max-md:pt-4">
      <Card title={t('apps.shop.plan')}>
        <PlanNames held={held} className="grid gap-2" />
        <p className="mt-3 text-ink-2">{t('apps.shop.notSold')}</p>
        <div className="mt-4 flex flex-wrap gap-2">
          {codes && (
            <Button icon={<Ticket />} href="/inapp/shop?action=open_redeem_box">
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
  );
}
