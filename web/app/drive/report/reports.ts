import { useSyncExternalStore } from 'react';
import type { ErrorId } from '@bowerbird/contract';
import { readCookie } from '#app/browser/cookies.ts';

export interface Failure {
  readonly id: string;
  /** `undefined` if the name is not known here. */
  readonly name: string | undefined;
  readonly error: ErrorId;
}

/** Failures of an operation on several items. */
export interface Report {
  readonly what: 'move' | 'copy' | 'trash' | 'restore' | 'remove' | 'rename';
  readonly done: number;
  readonly failures: readonly Failure[];
  /** Tries the items that failed once more; absent if that can't help. */
  readonly retry?: (() => void) | undefined;
}

/** A report, with the member it is about: another one may sign in to the same page. */
type Kept = Report & { readonly owner: string | undefined };

let current: Kept | undefined;
let isOpen = false;
const listeners = new Set<() => void>();

function change(report: Kept | undefined, open: boolean): void {
  current = report;
  isOpen = open;
  for (const listener of listeners) listener();
}

/** The report of the last operation in which something failed; it stays until the member dismisses it. */
export const reports = {
  show: (report: Report): void => change({ ...report, owner: readCookie('pp_user_id') }, false),
  open: (): void => change(current, true),
  close: (): void => change(current, false),
  dismiss: (): void => change(undefined, false),
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useReport(): { readonly report: Kept | undefined; readonly isOpen: boolean } {
  return {
    report: useSyncExternalStore(
      subscribe,
      () => current,
      () => undefined,
    ),
    isOpen: useSyncExternalStore(
      subscribe,
      () => isOpen,
      () => false,
    ),
  };
}
