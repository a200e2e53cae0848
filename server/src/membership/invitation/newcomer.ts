import { domainToASCII } from 'node:url';
import { isPublicAddress } from '../../foundation/index.ts';
import { networkOf } from '../../shield/index.ts';
import { DAY_MS } from './invitation.ts';

/** Reference of the benefit that an invited person gets. */
export const INVITED = 'invited';

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

/** A provider that delivers several spellings of an address to one mailbox. */
interface MailProvider {
  /** All domains with which an address of the provider can be written; the first stands for the others. */
  readonly domains: readonly string[];
  /** Characters of the name that don't count. */
  readonly ignored: RegExp;
}

const NOTHING = /(?!)/g;
const MAIL_PROVIDERS: readonly MailProvider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  // A dot and a hyphen are the same.
  {
    domains: ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.uz'],
    ignored: /[.-]/g,
  },
  { domains: ['icloud.com', 'me.com', 'mac.com'], ignored: NOTHING },
];
const PROVIDER_OF = new Map(
  MAIL_PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)),
);

/**
 * Returns the form that all spellings of one mailbox have in common: case, `+tags`, international domains in either
 * form, and what the large providers ignore.
 */
export function mailboxOf(email: string): string {
  const plain = email.trim().normalize('NFC').toLowerCase();
  const at = plain.lastIndexOf('@');
  const [name, written] = [plain.slice(0, at), plain.slice(at + 1).replace(/\.$/, '')];
  const domain = domainToASCII(written) || written;
  const provider = PROVIDER_OF.get(domain);
  const untagged = name.split('+', 1)[0]! || name;
  return provider
    ? `${untagged.replace(provider.ignored, '')}@${provider.domains[0]!}`
    : `${untagged}@${domain}`;
}

/**
 * Returns the public network of an address. Undefined for internal ones: behind a proxy that the settings don't name,
 * they are the same for everyone.
 */
export function publicNetworkOf(address: string): string | undefined {
  const plain = address.split('%', 1)[0]!;
  return plain !== '' && isPublicAddress(plain) ? networkOf(plain) : undefined;
}
