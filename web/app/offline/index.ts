/**
 * Cloud download: what a member sees of files that the server downloads. `<OfflineProvider onArrived>` once
 * around the drive; `useOffline().addLinks({ text, target })` opens the dialog from anywhere in it;
 * `<RunningBadge>` in the sidebar; `<Transfers>` is the page; `useBusyTitle(title)` for the tab's title.
 */
export { OfflineProvider } from './offline-provider.tsx';
export { useBusyTitle, useOffline, type AddRequest } from './offline-frame.ts';
export { parseLinks } from './links/parse-links.ts';
export { RunningBadge } from './running-badge.tsx';
export {
  loadCounts,
  loadPage,
  TABS,
  type Tab,
  type TaskPage as RunningPage,
} from './transfers/transfer-cache.ts';
export { RunningTransfers } from './transfers/running-transfers.tsx';
export { Transfers } from './transfers/transfers.tsx';
