import { lazy } from 'react';

/** Plans of members: dialogs, `<WelcomeHost>` for new members, and `useOffers` for what this installation offers. */
export { useOffers } from '#app/api/offers.ts';
export { WelcomeHost } from './welcome-host.tsx';

// Loaded when they are first opened.
export const RedeemDialog = lazy(() =>
  import('./redeem-dialog.tsx').then(({ RedeemDialog }) => ({ default: RedeemDialog })),
);
export const InviteDialog = lazy(() =>
  import('./invite-dialog.tsx').then(({ InviteDialog }) => ({ default: InviteDialog })),
);
