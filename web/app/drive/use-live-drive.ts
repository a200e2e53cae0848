import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useLive } from '#app/api/live/use-live.ts';
import { ABOUT } from '#app/membership/index.ts';
import { OWN_SHARES, PEOPLE, SHARED } from '#app/share/own/index.ts';
import { LISTINGS } from './drive-data.ts';
import { PINS } from './pin/pin-data.ts';
import { PLAYED } from './recent/use-play-reports.ts';
import { VERSIONS } from './version/use-content-changed.ts';
import { TAGS } from './tag/tag-data.ts';
import { TREE } from './tree/use-levels.ts';

const EVERY_MS = 1_500;
/** Playing and downloading report these all the time. */
const SELDOM_MS = 10_000;

/**
 * Refreshes what the drive shows when it was changed here or anywhere else. `refreshLists` does so for the lists and the
 * used storage, at most once in a while.
 */
export function useLiveDrive(refreshLists: () => void): void {
  const client = useQueryClient();
  const refresh = (...keys: readonly QueryKey[]): void => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  useLive(['files', 'storage'], refreshLists, 0);
  useLive(['files'], () => refresh(['path'], ['file'], [VERSIONS], ['note'], TREE, PINS, SHARED), EVERY_MS);
  useLive(['tags'], () => refresh(TAGS, PINS), EVERY_MS);
  useLive(['shares'], () => refresh(OWN_SHARES, PEOPLE, SHARED), EVERY_MS);
  useLive(['plan'], () => refresh(ABOUT, ['ledger']), EVERY_MS);
  useLive(['recent'], () => refresh([...LISTINGS, 'recent'], [...LISTINGS, 'continue'], PLAYED), SELDOM_MS);
  useLive(['traffic'], () => refresh(['ledger', 'traffic']), SELDOM_MS);
}
