import type { ContactTopic, Locale } from '@bowerbird/contract';

export interface ContactTables {
  contact_message: {
    id: string;
    topic: ContactTopic;
    email: string;
    message: string;
    link: string;
    account: string | null;
    locale: Locale;
    created_at: number;
    handled_at: number | null;
  };
}
