import { useQuery } from '@tanstack/react-query';
import { ArrowUpDown, ListTree, Sparkles } from 'lucide-react';
import { ledgerApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useOffers } from '#app/api/offers.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { TrafficList } from './traffic-list.tsx';
import { WayList } from './way-list.tsx';

/** Dialog with the traffic of the month, and the way to more if it is sold. */
export function TrafficDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const offers = useOffers();
  const traffic = useQuery({ queryKey: ['ledger', 'traffic'], queryFn: () => call(ledgerApi.traffic, {}) });
  const ways = [
    {
      to: '/drive/storage',
      icon: <ListTree aria-hidden="true" />,
      name: t('ledger.traffic.explain'),
      text: t('ledger.lead'),
    },
    ...(offers.products.includes('plan')
      ? [
          {
            to: '/inapp/shop',
            icon: <Sparkles aria-hidden="true" />,
            name: t('more.see'),
            text: t('shop.lead'),
          },
        ]
      : []),
    ...(offers.products.includes('traffic')
      ? [
          {
            to: '/drive/payment/traffic',
            icon: <ArrowUpDown aria-hidden="true" />,
            name: t('payment.moreTraffic'),
            text: t('payment.moreTrafficText'),
          },
        ]
      : []),
  ];
  return (
    <Dialog isOpen compact onClose={onClose} title={t('ledger.traffic')}>
      <div className="pb-5 text-13">
        {traffic.data ? (
          <TrafficList traffic={traffic.data} />
        ) : traffic.isError ? (
          <div role="alert" className="grid justify-items-start gap-3 text-ink-2">
            {errorText(traffic.error)}
            <Button size="s" onClick={() => void traffic.refetch()}>
              {t('ui.retry')}
            </Button>
          </div>
        ) : (
          <Skeleton className="h-40" />
        )}
      </div>
      <WayList ways={ways} onChoose={onClose} />
    </Dialog>
  );
}
