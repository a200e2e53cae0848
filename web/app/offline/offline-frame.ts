import { createContext, useContext, useEffect } from 'react';

/** Where something is fetched to. */
export interface TargetFolder {
  readonly id: string;
  readonly name: string;
}

/** How the dialog for links begins. */
export interface AddRequest {
  /** Links, in whatever text they stand. */
  readonly text?: string;
  readonly torrents?: readonly File[];
  /** Absent for the folder that is made for what is fetched. */
  readonly target?: TargetFolder;
  /** Opens what is sent along: a site wanted to know who asks. */
  readonly showOptions?: boolean;
  /** The failed task in whose place this one comes. */
  readonly replaces?: string;
}

export interface Offline {
  readonly addLinks: (request?: AddRequest) => void;
  /** Transfers that wait, run or are paused, as far as they are loaded. */
  readonly running: number;
  /** Looks more often, as long as somebody looks at them. Returns the end of it. */
  readonly watchClosely: () => () => void;
}

const Frame = createContext<Offline | null>(null);
export const OfflineFrame = Frame.Provider;

/** Offline download, for the pages of the drive. */
export function useOffline(): Offline {
  const offline = useContext(Frame);
  if (!offline) throw new Error('useOffline needs an OfflineProvider above it');
  return offline;
}

export function useWatchClosely(): void {
  const { watchClosely } = useOffline();
  useEffect(() => watchClosely(), [watchClosely]);
}

/** The title of a page of the drive, with what is being fetched before it: "(2) Files". */
export function useBusyTitle(title: string): string {
  const { running } = useOffline();
  return running > 0 ? `(${running}) ${title}` : title;
}
