import type { ContactTopic, Locale } from '@bowerbird/contract';
import type { Accounts } from '../account/index.ts';
import type { Database, KeysetPosition } from '../foundation/database/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Guard } from '../shield/index.ts';
import type { ContactMails } from './contact-mail-service.ts';
import { contactStore as store } from './contact-store.ts';
import { checked, KEPT_MS, topicsOf, type ContactMessage, type MessageKind } from './contact.ts';

/** Messages from visitors and members to the administrator. */
export interface Contacts {
  /** Stores the message, and emails it if the administrator set an address. */
  send(
    written: {
      topic: ContactTopic;
      email: string;
      message: string;
      link?: string;
      account: string | undefined;
      locale: Locale;
    },
    address: string,
  ): Promise<void>;
  /** Messages of the last days, newest first. */
  of(days: number): Promise<ContactMessage[]>;
  /** Messages that a member sent while signed in, newest first. */
  by(account: string): Promise<ContactMessage[]>;
  /** Messages not yet marked as done, newest first; of both kinds if none is given. */
  unhandled(
    kind: MessageKind | undefined,
    place: KeysetPosition | undefined,
    limit: number,
  ): Promise<ContactMessage[]>;
  waiting(): Promise<{ reports: number; others: number }>;
  /** Marks a message as done; returns false if there is no such open message. */
  handle(id: string): Promise<boolean>;
  forgetOld(): Promise<void>;
  define(queue: Jobs): void;
}

const LISTED = 500;
const DAY_MS = 24 * 3600 * 1000;
const HOUR_MS = 3600 * 1000;

interface Parts {
  database: Database;
  clock: Clock;
  ids: Ids;
  mails: ContactMails;
  guard: Guard;
  accounts: Accounts;
}

export function createContacts({ database, clock, ids, mails, guard, accounts }: Parts): Contacts {
  async function answerTo({
    email,
    account,
  }: {
    email: string;
    account: string | undefined;
  }): Promise<string> {
    if (email.trim() !== '' || account === undefined) return email;
    return (await accounts.find(database, account))?.email ?? '';
  }

  const contacts: Contacts = {
    async send(written, address) {
      const kept = checked({ ...written, email: await answerTo(written) });
      await guard.attempt('operator', address);
      await database.transaction(async (tx) => {
        const row: ContactMessage = { ...kept, id: ids.next(), createdAt: clock.now() };
        await store.insert(tx, row);
        await mails.tell(tx, row);
      });
    },

    of: (days) => store.since(database, clock.now() - days * DAY_MS, LISTED),

    by: (account) => store.by(database, account),

    unhandled: (kind, place, limit) => store.unhandled(database, topicsOf(kind), place, limit),

    async waiting() {
      const counts = await store.waiting(database);
      const sum = (kind: MessageKind): number =>
        topicsOf(kind).reduce((all, topic) => all + (counts.get(topic) ?? 0), 0);
      return { reports: sum('report'), others: sum('other') };
    },

    handle: (id) => database.transaction((tx) => store.handle(tx, id, clock.now())),

    forgetOld: () => database.transaction((tx) => store.removeBefore(tx, clock.now() - KEPT_MS)),

    define(queue) {
      mails.define(queue);
      queue.define('forget-contact-messages', () => contacts.forgetOld(), { everyMs: 24 * HOUR_MS });
    },
  };
  return contacts;
}
