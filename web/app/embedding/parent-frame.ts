import { pageFacts } from '#app/api/client.ts';
import { originSaid } from '#app/browser/page-query.ts';
import { saidInTab } from '#app/browser/tab.ts';
import { frameMessage } from './frame-message.ts';

/** What tells whether there is a page around this one to talk to. */
export interface Surroundings {
  readonly isFramed: boolean;
  /** The origin that the address names. */
  readonly named: string | undefined;
  readonly own: string;
  readonly allowed: readonly string[];
  /** The origin that is around, where the browser says so. */
  readonly around: string | undefined;
}

/** The origin that actions are told to: the one that is named, allowed, and there. */
export function listener({ isFramed, named, own, allowed, around }: Surroundings): string | undefined {
  if (!isFramed || named === undefined) return undefined;
  const mayBeAround = named === own || allowed.includes(named);
  return mayBeAround && (around === undefined || around === named) ? named : undefined;
}

function parentOrigin(): string | undefined {
  return listener({
    isFramed: window.parent !== window,
    named: originSaid(new URLSearchParams({ origin: saidInTab('origin') })),
    own: location.origin,
    allowed: pageFacts().framedBy,
    around: (location as Partial<Location>).ancestorOrigins?.[0],
  });
}

/**
 * Leaves what an address of ours asks for to the page around this one. False where it asks for nothing of the kind, or
 * nobody is there to hear it: then the address is gone to.
 */
export function leftToParent(address: URL): boolean {
  const message = frameMessage(address);
  const origin = message && parentOrigin();
  if (origin === undefined) return false;
  window.parent.postMessage(message, origin);
  return true;
}
