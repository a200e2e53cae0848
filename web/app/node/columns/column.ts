import type { ReactNode } from 'react';
import type { File, Order } from '@bowerbird/contract';

/** Column of a list beside the name. */
export interface Column {
  readonly id: string;
  readonly label: string;
  /** Sort key of a click on the header. */
  readonly sortKey?: Order['key'] | undefined;
  /** Width as a track of a CSS grid, such as `110px` or `minmax(0, 0.3fr)`. */
  readonly width: string;
  readonly align?: 'start' | 'end';
  /** Returns undefined if the entry has no value: a wide row shows a dash, a narrow one nothing. */
  readonly cell: (file: File) => ReactNode;
}
