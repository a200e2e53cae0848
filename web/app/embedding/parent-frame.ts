import { pageFacts } from '#app/api/client.ts';
import { originSaid } from '#app/browser/page-query.ts';
import { saidInTab } from '#app/browser/tab.ts';
import { frameMessage } from './frame-message.ts';

/** Facts that determine which embedding page, if any, receives messages. */
export interface Surroundings {
  readonly isFramed: boolean;
  /** Origin named in the address. */
  readonly named: string | undefined;
  readonly own: string;
  readonly allowed: readonly string[];
  /** Actual embedding origin, if the browser reveals it. */
  readonly around: string | undefined;
}

/**
 * Returns the origin that receives actions: the one that is named, allowed, and actually embedding this page.
 */
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
 * Hands the action of a first-party address over to the embedding page. Returns false if the address contains
 * none, or if no page receives it: then the caller navigates to the address.
 */
export function leftToParent(address: URL): boolean {
  const message = frameMessage(address);
  const origin = message && parentOrigin();
  if (origin === undefined) return false;
  window.parent.postMessage(message, origin);
  return true;
}
