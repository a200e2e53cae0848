import { unsubscribeApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import { maskedEmail } from '../account.ts';
import type { Unsubscribes } from './unsubscribe-service.ts';

export function mountUnsubscribe(api: Api, unsubscribes: Unsubscribes): void {
  api.handle(unsubscribeApi.look, async ({ query: { d } }) => {
    const { email, category, isSubscribed } = await unsubscribes.look(d);
    // Masked, because links are copied and forwarded to other people.
    return { email: maskedEmail(email), scene: category, d, subscribed: isSubscribed };
  });

  api.handle(unsubscribeApi.act, async ({ query: { d } }) => {
    await unsubscribes.act(d);
    return {};
  });
}
