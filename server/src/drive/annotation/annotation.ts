import type { Color } from '@bowerbird/contract';

export interface TagRow {
  readonly id: string;
  readonly name: string;
  readonly color: Color;
}

/** Tag of a node. */
export interface Pair {
  readonly tag: string;
  readonly node: string;
}

export interface NoteRow {
  readonly note: string;
  readonly noted_at: number;
}
