import {
  ApiFailure,
  CONTACT_LIMITS,
  CONTACT_TOPICS,
  type ContactTopic,
  type Locale,
} from '@bowerbird/contract';
import { isEmail } from '../account/index.ts';

/** Kind of message; a report is about content that should not be shared. */
export type MessageKind = 'report' | 'other';
const REPORTS: ReadonlySet<ContactTopic> = new Set(['abuse', 'copyright']);

export const topicsOf = (kind: MessageKind | undefined): readonly ContactTopic[] =>
  CONTACT_TOPICS.filter((topic) => kind === undefined || REPORTS.has(topic) === (kind === 'report'));

/** Message to the administrator. */
export interface ContactMessage {
  readonly id: string;
  readonly topic: ContactTopic;
  readonly email: string;
  readonly message: string;
  /** Share or page that the message is about; "" for none. */
  readonly link: string;
  /** Signed-in sender. */
  readonly account: string | undefined;
  readonly locale: Locale;
  readonly createdAt: number;
}

/** Time for which messages are kept. */
export const KEPT_MS = 180 * 24 * 3600 * 1000;

const refuse = (field: string): never => {
  throw new ApiFailure('invalid_argument', { field });
};

/** Normalizes a message for storage; rejects messages that nobody could answer or understand. */
export function checked<T extends { email: string; message: string; link?: string }>(written: T) {
  const email = written.email.trim().normalize('NFC');
  const message = written.message.replaceAll('\r\n', '\n').trim();
  const link = (written.link ?? '').trim();
  if (!isEmail(email)) refuse('email');
  if ([...message].length < CONTACT_LIMITS.messageMin) refuse('message');
  if (link !== '' && !/^https?:$/.test(URL.parse(link)?.protocol ?? '')) refuse('link');
  return { ...written, email, message, link };
}
