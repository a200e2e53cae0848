import type { Profile } from '@bowerbird/contract';
import { maybeTimeText, timeText } from '../../foundation/index.ts';
import { isUsable, maskedEmail, type AccountRow } from '../account.ts';
import { maskedPhone } from '../verification/index.ts';

/** Account as its owner sees it; `origin` is the base of its URLs. */
export function profileView(account: AccountRow, origin: string, providers: Profile['providers']): Profile {
  return {
    sub: account.id,
    name: account.name,
    picture: account.picture === '' ? '' : origin + account.picture,
    email: maskedEmail(account.email),
    phone_number: maskedPhone(account.phone),
    password: account.passwordHash === undefined ? 'UNSET' : 'SET',
    status: isUsable(account) ? 'ACTIVE' : 'FROZEN',
    operator: account.role === 'operator',
    new_device_mail: account.newDeviceMail,
    plan_mail: account.planMail,
    providers,
    created_at: timeText(account.createdAt),
    password_updated_at: maybeTimeText(account.passwordUpdatedAt),
  };
}
