import { AsyncLocalStorage } from 'node:async_hooks';
import type { BlockList } from 'node:net';
import { isReachable } from './addresses.ts';

/** A stranger's link, redirect, tracker or peer leads to a forbidden address. */
export class AddressForbidden extends Error {
  override name = 'AddressForbidden';
  readonly code = 'EFORBIDDEN';

  constructor(host: string) {
    super(`Strangers may not send us to ${host}`);
  }
}

export interface Guard {
  /**
   * Runs trusted work (the storage, an aria2 of the operator's), which may connect to private addresses. Applies to
   * everything that `work` starts. Its connections MUST NOT be shared with untrusted work.
   */
  trusted<T>(work: () => T): T;
  /** Runs work that strangers can influence, even inside of trusted work. */
  untrusted<T>(work: () => T): T;
}

/** Decides which addresses may be reached: public ones for untrusted work, all for trusted work. */
export interface Gate {
  admits(address: string): boolean;
  /** True while trusted work runs. */
  isOpen(): boolean;
  open<T>(work: () => T): T;
  shut<T>(work: () => T): T;
}

export function createGate(allowed: BlockList): Gate {
  const trusted = new AsyncLocalStorage<boolean>();
  return {
    admits: (address) => isReachable(address, allowed),
    isOpen: () => trusted.getStore() === true,
    open: (work) => trusted.run(true, work),
    shut: (work) => trusted.run(false, work),
  };
}
