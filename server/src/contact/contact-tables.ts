export interface ContactTables {
  contact_message: {
    id: string;
    topic: string;
    email: string;
    message: string;
    link: string;
    account: string | null;
    locale: string;
    created_at: number;
    handled_at: number | null;
  };
}
