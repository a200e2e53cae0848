import { useState } from 'react';

export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

/** Open menu of the selection or of the folder. */
export function useEntryMenu() {
  const [open, setOpen] = useState<{ readonly at: MenuPlace; readonly ofFolder: boolean }>();
  return {
    open,
    show: (at: MenuPlace, ofFolder = false) => setOpen({ at, ofFolder }),
    close: () => setOpen(undefined),
  };
}
