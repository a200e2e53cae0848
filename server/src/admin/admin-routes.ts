import { adminApi, ApiFailure, pageSize, parseSize } from '@bowerbird/contract';
import type { Contacts } from '../contact/index.ts';
import { cutPage, type Cursors } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import { messageView, personView } from './admin-view.ts';
import { requireOperator } from './operator.ts';
import type { People } from './people-service.ts';
import type { ServiceCare } from './service-service.ts';
import type { SendTestMail } from './test-mail-service.ts';

const PAGE = 50;
const MOST = 200;

interface Parts {
  care: ServiceCare;
  people: People;
  sendTestMail: SendTestMail;
  contacts: Contacts;
  cursors: Cursors;
}

export function mountAdmin(api: Api, { care, people, sendTestMail, contacts, cursors }: Parts): void {
  api.handle(adminApi.service, async (call) => {
    requireOperator(call);
    return care.state();
  });

  api.handle(adminApi.reach, async (call) => {
    requireOperator(call);
    return { reached: await care.isReached() };
  });

  api.handle(adminApi.testMail, async (call) => {
    requireOperator(call);
    return sendTestMail(call.viewer.account);
  });

  api.handle(adminApi.people, async (call) => {
    requireOperator(call);
    const { status, limit, page_token: token } = call.query;
    const list = `people:${status ?? ''}`;
    const size = pageSize(limit, PAGE, MOST);
    const rows = await people.list(status, cursors.place(list, token), size + 1);
    const { page, next } = cutPage(rows, size, ({ account }) => [account.id]);
    return {
      people: page.map((one) => personView(one, call.caller.locale)),
      next_page_token: next ? cursors.token(list, next) : '',
    };
  });

  api.handle(adminApi.admit, { underKey: 'joined' }, async (call) => {
    requireOperator(call);
    await people.admit(call.params.id);
    return {};
  });

  api.handle(adminApi.decline, async (call) => {
    requireOperator(call);
    await people.decline(call.params.id);
    return {};
  });

  api.handle(adminApi.freeze, async (call) => {
    requireOperator(call);
    await people.freeze(call.params.id);
    return {};
  });

  api.handle(adminApi.thaw, async (call) => {
    requireOperator(call);
    await people.thaw(call.params.id);
    return {};
  });

  api.handle(adminApi.setStorage, { underKey: 'joined' }, async (call) => {
    requireOperator(call);
    const bytes = parseSize(call.body.storage_limit);
    if (bytes === undefined) throw new ApiFailure('invalid_argument', { field: 'storage_limit' });
    await people.setStorage(call.params.id, bytes);
    return {};
  });

  api.handle(adminApi.messages, async (call) => {
    requireOperator(call);
    const { kind, limit, page_token: token } = call.query;
    const list = `messages:${kind ?? ''}`;
    const size = pageSize(limit, PAGE, MOST);
    const rows = await contacts.unhandled(kind, cursors.place(list, token), size + 1);
    const { page, next } = cutPage(rows, size, ({ createdAt, id }) => [createdAt, id]);
    return { messages: page.map(messageView), next_page_token: next ? cursors.token(list, next) : '' };
  });

  api.handle(adminApi.handleMessage, { underKey: 'joined' }, async (call) => {
    requireOperator(call);
    if (!(await contacts.handle(call.params.id))) throw new ApiFailure('not_found');
    return {};
  });
}
