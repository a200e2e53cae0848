import { createContext, type ReactNode } from 'react';
import type { Anchor } from './place-menu.ts';

export interface MenuProps {
  'aria-label'?: string;
  children: ReactNode;
  className?: string;
}

export interface MenuSurfaceProps extends MenuProps {
  id?: string;
  labelledBy?: string;
  anchor: () => Anchor;
  onClose: () => void;
}

/** Closes the menu that contains an item. */
export const CloseContext = createContext<(() => void) | null>(null);
