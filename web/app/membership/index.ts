import { lazy } from 'react';

/**
 * Plans of members: dialogs, `<WelcomeHost>` for new members, and `useOffers` for what this installation offers.
 * `<LimitCard>`, `<UsageCard>`, `<TrafficList>`, `<StorageAmount>` and `<History>` explain a member's storage and traffic;
 * `<DialogHost>` opens the dialogs outside the drive, `<AnnouncementHost>` those about activities. The parts of
 * activities show what each gives.
 */
export { CompensationCard } from './activity/compensation-card.tsx';
export { GiftCalendarCard, type CalendarNames } from './activity/gift-calendar-card.tsx';
export { SaleList, type SaleProduct } from './activity/sale-list.tsx';
export { useOffers } from '#app/api/offers.ts';
export { History, type HistoryFilter } from './ledger-history.tsx';
export { LimitCard } from './ledger-limit.tsx';
export { TrafficList } from './traffic-list.tsx';
export { UsageCard } from './ledger-usage.tsx';
export { PERIODS } from './ledger-words.ts';
export { ABOUT, StorageAmount, storageOf, useStorage, type Storage } from './storage-amount.tsx';
export { DialogHost } from './dialog-host.tsx';
export { AnnouncementHost } from './activity/announcement-host.tsx';
export { PriceTag, RegularPrice } from './price-tag.tsx';
export { WelcomeHost } from './welcome-host.tsx';

// Loaded when they are first opened.
export const StorageDialog = lazy(() =>
  import('./storage-dialog.tsx').then(({ StorageDialog }) => ({ default: StorageDialog })),
);
export const RedeemDialog = lazy(() =>
  import('./redeem-dialog.tsx').then(({ RedeemDialog }) => ({ default: RedeemDialog })),
);
export const InviteDialog = lazy(() =>
  import('./invite-dialog.tsx').then(({ InviteDialog }) => ({ default: InviteDialog })),
);
export const TrafficDialog = lazy(() =>
  import('./traffic-dialog.tsx').then(({ TrafficDialog }) => ({ default: TrafficDialog })),
);
