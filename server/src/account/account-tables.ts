import type { Generated } from 'kysely';
import type { Role, Status } from './account.ts';

export interface AccountTables {
  account: {
    id: string;
    email: string | null;
    email_key: string | null;
    phone: string | null;
    name: string;
    picture: string;
    password_hash: string | null;
    role: Role;
    status: Status;
    locale: string | null;
    created_at: number;
    password_updated_at: number | null;
    new_device_mail: Generated<number>;
    plan_mail: Generated<number>;
    closes_at: number | null;
    closing_reminded: Generated<number>;
  };
}
