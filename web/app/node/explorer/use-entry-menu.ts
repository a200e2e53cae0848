import { useState } from 'react';

export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

/** The menu of the selection or of the folder, while it is open. */
export function useEntryMenu() {
  const [open, setOpen] = useState<{ readonly at: MenuPlace; readonly ofFolder: boolean }>();
  return {
    open,
    show: (at: MenuPlace, ofFolder = false) => setOpen({ at, ofFolder }),
    close: () => setOpen(undefined),
  };
}
