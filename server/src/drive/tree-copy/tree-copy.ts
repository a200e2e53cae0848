import type { Conflict } from '../drive.ts';

export interface TreeCopy {
  /** Id of the task that copies; at most one tree copy each. */
  readonly task: string;
  /** Nodes of any account to copy with all their descendants; the caller has checked the permission. */
  readonly roots: readonly string[];
  readonly account: string;
  /** Id of the destination: a live folder of `account`, or the account's own id for the root. */
  readonly parent: string;
  readonly conflict: Conflict;
  /** New name of a single root; if absent, each root keeps its own name. */
  readonly name?: string | undefined;
  /** Ledger reason: `copy` or `restore`. */
  readonly reason: string;
}

export interface TreeCopyResult {
  /** Maps the ids of the copied roots to the ids of their copies. */
  readonly made: ReadonlyMap<string, string>;
  readonly bytes: number;
  readonly nodes: number;
}

/** Thrown if the task was cancelled in the meantime; the nodes built so far have been deleted. */
export class TreeCopyCancelled extends Error {
  override name = 'TreeCopyCancelled';
}

/** One copied root, with the bytes and nodes of its copy, itself included. */
export interface Built {
  readonly source: string;
  readonly copy: string;
  bytes: number;
  nodes: number;
  files: number;
}

/** Returns the hidden place in which the task builds its copies. */
export const treeCopyPlace = (task: string): string => `!graft/${task}/`;
