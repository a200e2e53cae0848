import type { OpenShare } from './share-data.ts';

const opened = new Map<string, OpenShare>();

/** Shares that this page has opened, so that navigating within one only needs API calls; browser only. */
export const openedShares = {
  get: (shareId: string): OpenShare | undefined => opened.get(shareId),
  keep: (share: OpenShare): void => void opened.set(share.id, share),
  forget: (shareId: string): void => void opened.delete(shareId),
};
