import {
  ApiFailure,
  CONTACT_LIMITS,
  CONTACT_TOPICS,
  type ContactTopic,
  type Locale,
} from '@bowerbird/contract';
import { isEmail } from '../account/index.ts';

/** A report is of something that should not be shared. */
export type MessageKind = 'report' | 'other';
const REPORTS: ReadonlySet<ContactTopic> = new Set(['abuse', 'copyright']);

export const topicsOf = (kind: MessageKind | undefined): readonly ContactTopic[] =>
  CONTACT_TOPICS.filter((topic) => kind === undefined || REPORTS.has(topic) === (kind === 'report'));

/** What somebody wrote to the operator. */
export interface ContactMessage {
  readonly id: string;
  readonly topic: ContactTopic;
  readonly email: string;
  readonly message: string;
  /** A share or page of which it speaks; "" for none. */
  readonly link: string;
  /** Who was signed in. */
  readonly account: string | undefined;
  readonly locale: Locale;
  readonly createdAt: number;
}

/** What is kept for whoever runs the service is kept for so long. */
export const KEPT_MS = 180 * 24 * 3600 * 1000;

const refuse = (field: string): never => {
  throw new ApiFailure('invalid_argument', { field });
};

/** The message as it is kept; refuses what nobody could answer or understand. */
export function checked<T extends { email: string; message: string; link?: string }>(written: T) {
  const email = written.email.trim().normalize('NFC');
  const message = written.message.replaceAll('\r\n', '\n').trim();
  const link = (written.link ?? '').trim();
  if (!isEmail(email)) refuse('email');
  if ([...message].length < CONTACT_LIMITS.messageMin) refuse('message');
  if (link !== '' && !/^https?:$/.test(URL.parse(link)?.protocol ?? '')) refuse('link');
  return { ...written, email, message, link };
}
