import { createContext, useContext } from 'react';

/** Target folder of a download. */
export interface TargetFolder {
  readonly id: string;
  readonly name: string;
}

/** Initial state of the dialog for links. */
export interface AddRequest {
  /** Links, in any text that contains them. */
  readonly text?: string;
  readonly torrents?: readonly File[];
  /** Omitted for the default folder of cloud downloads. */
  readonly target?: TargetFolder;
  /** Opens the options for request headers: a site required credentials. */
  readonly showOptions?: boolean;
  /** Page on which a link was typed, if it isn't one of the usual ones. */
  readonly source?: 'home_recent' | undefined;
  /** Failed task that the new one replaces. */
  readonly replaces?: string;
}

export interface Offline {
  readonly addLinks: (request?: AddRequest) => void;
  /** Number of waiting, running and paused transfers, as far as they are loaded. */
  readonly running: number;
}

const Frame = createContext<Offline | null>(null);
export const OfflineFrame = Frame.Provider;

/** Cloud download, for the pages of the drive. */
export function useOffline(): Offline {
  const offline = useContext(Frame);
  if (!offline) throw new Error('useOffline needs an OfflineProvider above it');
  return offline;
}

/** Returns the title of a page of the drive, preceded by the number of running downloads: "(2) Files". */
export function useBusyTitle(title: string): string {
  const { running } = useOffline();
  return running > 0 ? `(${running}) ${title}` : title;
}
