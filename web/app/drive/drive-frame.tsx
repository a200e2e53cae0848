import { createContext, useContext } from 'react';

/** Parts of the surrounding frame that pages of the drive can open. */
export interface DriveFrameActions {
  /** True if a help center exists. */
  readonly hasHelp: boolean;
  readonly openTray: () => void;
  /** Opens the sidebar on phones, where it is a drawer. */
  readonly openSidebar: () => void;
  /** Opens the list of keyboard shortcuts. */
  readonly openKeys: () => void;
  /** Opens the storage dialog: usage, and ways to free space. */
  readonly openStorage: () => void;
  /** Opens the dialog with the traffic of the month. */
  readonly openTraffic: () => void;
  /** Opens the dialog that redeems an activation code; undefined if there are no codes here. */
  readonly openRedeemBox: (() => void) | undefined;
}

const Frame = createContext<DriveFrameActions | null>(null);
export const DriveFrame = Frame.Provider;

export function useDriveFrame(): DriveFrameActions {
  const frame = useContext(Frame);
  if (!frame) throw new Error('useDriveFrame needs the drive layout above it');
  return frame;
}
