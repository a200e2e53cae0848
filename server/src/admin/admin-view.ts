import { textIn, type Locale, type Person, type ReceivedMessage } from '@bowerbird/contract';
import type { ContactMessage } from '../contact/index.ts';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import type { PersonState } from './people-service.ts';

/** Account as an administrator sees it: with its email address, and nothing of its drive. */
export function personView({ account, used, limit, seenAt, plans }: PersonState, locale: Locale): Person {
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    phone_number: account.phone,
    operator: account.role === 'operator',
    status: account.closesAt === undefined ? account.status : 'closing',
    storage_used: String(used),
    storage_limit: String(limit),
    plans: plans.map(({ plan, endsAt }) => ({
      id: plan.id,
      name: textIn(plan.name, locale),
      expire: maybeTimeText(endsAt),
    })),
    created_at: timeText(account.createdAt),
    seen_at: maybeTimeText(seenAt),
  };
}

export function messageView({ id, topic, email, message, link, createdAt }: ContactMessage): ReceivedMessage {
  return { id, topic, email, message, link, created_at: timeText(createdAt) };
}
