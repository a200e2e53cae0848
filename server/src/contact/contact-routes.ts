import { contactApi } from '@bowerbird/contract';
import type { Api } from '../foundation/http/index.ts';
import type { Contacts } from './contact-service.ts';

export function mountContact(api: Api, contacts: Contacts): void {
  api.handle(contactApi.send, async ({ body: { website = '', ...written }, viewer, caller }) => {
    if (website === '')
      await contacts.send({ ...written, account: viewer?.account, locale: caller.locale }, caller.address);
    return {};
  });
}
