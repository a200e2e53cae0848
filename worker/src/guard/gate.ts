import { AsyncLocalStorage } from 'node:async_hooks';
import type { BlockList } from 'node:net';
import { isReachable } from './addresses.ts';

/** Somebody's link, redirect, tracker or peer leads to where strangers may not send us. */
export class AddressForbidden extends Error {
  override name = 'AddressForbidden';
  readonly code = 'EFORBIDDEN';

  constructor(host: string) {
    super(`Strangers may not send us to ${host}`);
  }
}

export interface Guard {
  /**
   * Runs what is on our own errand (the storage, a downloader of ours), which may reach private addresses. Holds for
   * all that `work` starts. Connections MUST NOT be shared with what isn't.
   */
  trusted<T>(work: () => T): T;
  /** Runs what strangers have a say in, also in the midst of an errand of our own. */
  untrusted<T>(work: () => T): T;
}

/** Decides what may be reached: strangers' addresses on the Internet, everything for what is our own. */
export interface Gate {
  admits(address: string): boolean;
  /** Whether what runs just now is on our own errand. */
  isOpen(): boolean;
  open<T>(work: () => T): T;
  shut<T>(work: () => T): T;
}

export function createGate(allowed: BlockList): Gate {
  const errand = new AsyncLocalStorage<boolean>();
  return {
    admits: (address) => isReachable(address, allowed),
    isOpen: () => errand.getStore() === true,
    open: (work) => errand.run(true, work),
    shut: (work) => errand.run(false, work),
  };
}
