import { Ticket } from 'lucide-react';
import type { Transfer } from '@bowerbird/contract';
import { useOffers } from '#app/api/offers.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { StorageAmount, type Storage } from '#app/membership/index.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { PlanNames, type HeldPlans } from './shop-status.tsx';

const KINDS = ['upload', 'download', 'offline'] as const;

/** The shop where nothing is sold: what a member has and uses. */
export function NoSales({
  held,
  storage,
  transfer,
}: {
  held: HeldPlans;
  storage: Storage;
  transfer: Readonly<Record<(typeof KINDS)[number], Transfer>>;
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
        <div className="grid gap-2">
          <StorageAmount storage={storage} />
        </div>
        <div className="mt-4">
          <Button href="/drive/storage">{t('ledger.title', { size: format.bytes(storage.limit) })}</Button>
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

/** Traffic of the month by kind. */
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
