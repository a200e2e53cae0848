import { isPublicAddress } from '../../foundation/index.ts';
import { networkOf } from '../../shield/index.ts';
import { DAY_MS } from './invitation.ts';

/** Kinds of traces of the owner of a new account. */
export type TraceKind = 'email' | 'phone' | 'device' | 'network';

/** Keyed hash by which the owner of an account can be recognized. */
export interface Trace {
  readonly kind: TraceKind;
  readonly hash: string;
}

/** Kinds that stand for one person. */
export const OF_A_PERSON: readonly TraceKind[] = ['email', 'phone'];

/** Time in which traces are recognized; afterwards they are deleted. */
export const KEPT_MS: Readonly<Record<TraceKind, number>> = {
  email: 365 * DAY_MS,
  phone: 365 * DAY_MS,
  device: 30 * DAY_MS,
  network: DAY_MS,
};

/** Number of accounts that may use a device or a network in that time. */
export const MOST_ACCOUNTS = { device: 2, network: 10 } as const;

/** Age up to which an account is new. It may have waited for an administrator's approval for some time. */
export const NEW_MS = 30 * DAY_MS;

/** Providers of which addresses that differ only in dots belong to one person, and their other domains. */
const WITHOUT_DOTS: ReadonlyMap<string, string> = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/** Returns the form that all spellings of one mailbox have in common: case, `+tags`, and dots if they don't count. */
export function mailboxOf(email: string): string {
  const plain = email.trim().normalize('NFC').toLowerCase();
  const at = plain.lastIndexOf('@');
  const [name, domain] = [plain.slice(0, at), plain.slice(at + 1)];
  const provider = WITHOUT_DOTS.get(domain);
  const untagged = name.split('+', 1)[0]! || name;
  return provider === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${provider}`;
}

/**
 * Returns the public network of an address. Undefined for internal ones: behind a proxy that the settings don't name,
 * they are the same for everyone.
 */
export function publicNetworkOf(address: string): string | undefined {
  const plain = address.split('%', 1)[0]!;
  return plain !== '' && isPublicAddress(plain) ? networkOf(plain) : undefined;
}
