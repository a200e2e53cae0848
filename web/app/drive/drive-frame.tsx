import { createContext, useContext } from 'react';

/** What pages of the drive may open of the frame around them. */
export interface DriveFrameActions {
  /** Whether the library has a help center. */
  readonly hasHelp: boolean;
  readonly openTray: () => void;
  /** On phones, where it is a drawer. */
  readonly openSidebar: () => void;
  /** The list of keys. */
  readonly openKeys: () => void;
  /** What uses the storage, and how to free some. */
  readonly openStorage: () => void;
}

const Frame = createContext<DriveFrameActions | null>(null);
export const DriveFrame = Frame.Provider;

export function useDriveFrame(): DriveFrameActions {
  const frame = useContext(Frame);
  if (!frame) throw new Error('useDriveFrame needs the drive layout above it');
  return frame;
}
