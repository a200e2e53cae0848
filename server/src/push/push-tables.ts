export interface PushTables {
  push_device: {
    id: string;
    account: string;
    session: string;
    endpoint: string;
    endpoint_hash: string;
    p256dh: string;
    auth: string;
    name: string;
    locale: string;
    with_names: 0 | 1;
    created_at: number;
    sent_at: number | null;
  };
}
