import type { Conflict } from '../drive.ts';

export type Verb = 'move' | 'copy' | 'trash' | 'untrash' | 'delete';

/** Ids, or all children of a folder except some; `*` is everything in the trash. */
export interface Selection {
  readonly ids?: readonly string[] | undefined;
  readonly all_in?: string | undefined;
  readonly except_ids?: readonly string[] | undefined;
}

export interface Destination {
  readonly parent?: string | undefined;
  readonly conflict?: Conflict | undefined;
}

/** State that the job of a task needs. */
export interface Plan {
  readonly verb: Verb | 'empty_trash';
  readonly ids?: readonly string[];
  readonly area?: string;
  readonly except: readonly string[];
  readonly parent: string | undefined;
  readonly conflict: Conflict;
  /** New name of the only node in `ids`. */
  readonly name?: string | undefined;
}

/** The area of a selection that stands for everything in the trash. */
export const EVERYTHING_TRASHED = '*';
