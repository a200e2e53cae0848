import type { RecentKind } from '@bowerbird/contract';

/** One thing that happened to a file: an event of the protocol, or a row beside them. Times are milliseconds. */
export interface RecentRow {
  readonly id: string;
  readonly kind: RecentKind;
  readonly node: string;
  readonly at: number;
  /** Playback position in whole seconds, of `played` only. */
  readonly play: { readonly seconds: number; readonly duration: number } | undefined;
}
