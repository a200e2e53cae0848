import { ArrowUpDown, Crown, HardDrive } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ActivityGift } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';

/** Returns gifts in words: "3 days of VIP". */
export function useGiftText(): (gift: ActivityGift) => string {
  const t = useT();
  const format = useFormat();
  return ({ kind, name, bytes, days }) =>
    kind === 'plan'
      ? t('checkIn.reward', { count: days, plan: name })
      : t(`activity.gift.${kind}`, { count: days, size: format.bytes(bytes) });
}

const ICONS: Readonly<Record<ActivityGift['kind'], ReactNode>> = {
  plan: <Crown aria-hidden="true" />,
  storage: <HardDrive aria-hidden="true" />,
  traffic: <ArrowUpDown aria-hidden="true" />,
};

export function GiftList({ gifts }: { gifts: readonly ActivityGift[] }) {
  const text = useGiftText();
  return (
    <ul className="grid gap-3">
      {gifts.map((gift) => (
        <li key={JSON.stringify(gift)} className="flex items-center gap-3 text-16 font-medium">
          <span className="text-gold">{ICONS[gift.kind]}</span>
          {text(gift)}
        </li>
      ))}
    </ul>
  );
}
