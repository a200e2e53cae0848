import { ArrowDownWideNarrow, HardDriveUpload, ListTree, Sparkles, Trash2 } from 'lucide-react';
import { useOffers } from '#app/api/offers.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { StorageAmount, useStorage } from './storage-amount.tsx';
import { WayList } from './way-list.tsx';

/** Dialog with the storage usage and ways to free space. */
export function StorageDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const storage = useStorage();
  const offers = useOffers();
  const inTrash = format.bytes(storage?.inTrash ?? 0);
  const ways = [
    {
      to: '/drive/trash',
      icon: <Trash2 aria-hidden="true" />,
      name: t('drive.storage.openTrash'),
      text: t('drive.storage.inTrash', { size: inTrash }),
    },
    {
      to: '/drive/all?order=size_desc',
      icon: <ArrowDownWideNarrow aria-hidden="true" />,
      name: t('drive.storage.largest'),
      text: t('drive.storage.largestText'),
    },
    {
      to: '/drive/storage',
      icon: <ListTree aria-hidden="true" />,
      name: t('ledger.title', { size: format.bytes(storage?.limit ?? 0) }),
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
    ...(offers.products.includes('storage')
      ? [
          {
            to: '/drive/payment/storage',
            icon: <HardDriveUpload aria-hidden="true" />,
            name: t('payment.more'),
            text: t('payment.moreText'),
          },
        ]
      : []),
  ];
  return (
    <Dialog isOpen compact onClose={onClose} title={t('drive.storage')}>
      <div className="grid gap-2 pb-5 text-13">{storage && <StorageAmount storage={storage} />}</div>
      <WayList ways={ways} onChoose={onClose} />
    </Dialog>
  );
}
