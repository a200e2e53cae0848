import { lazy } from 'react';

/** Plans of members: `<RedeemDialog>`, and `useOffers` for what this installation offers. */
export { useOffers } from './offers.ts';

/** Loaded when it is first opened. */
export const RedeemDialog = lazy(() =>
  import('./redeem-dialog.tsx').then(({ RedeemDialog }) => ({ default: RedeemDialog })),
);
