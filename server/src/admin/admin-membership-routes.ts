import { adminMembershipApi, ApiFailure, pageSize, parseSize, textIn } from '@bowerbird/contract';
import { cutPage, type Cursors } from '../foundation/database/index.ts';
import type { Api, Call } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Membership, NewBatch, Plans } from '../membership/index.ts';
import { batchView, deskOrderView } from './admin-membership-view.ts';
import { requireOperator } from './operator.ts';
import type { OrderDesk } from './order-desk-service.ts';
import type { People } from './people-service.ts';

const PAGE = 50;
const MOST = 200;
const DAY_MS = 24 * 3600 * 1000;

interface Parts {
  membership: Membership;
  people: Pick<People, 'grantPlan' | 'endPlans'>;
  desk: OrderDesk;
  cursors: Cursors;
  clock: Clock;
}

/** Reads what a new batch grants and when; throws `invalid_argument`. */
function newBatch(
  { body }: Pick<Call<typeof adminMembershipApi.createBatch>, 'body'>,
  plans: Plans,
  now: number,
): NewBatch {
  const { count, uses, audience, note, days } = body;
  const wrong = (field: string): never => {
    throw new ApiFailure('invalid_argument', { field });
  };
  const timeIn = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : Date.parse(text);
  if ((body.plan === undefined) === (body.bytes === undefined)) wrong('plan');
  const plan = body.plan === undefined ? undefined : plans.find(body.plan);
  if (body.plan !== undefined && (!plan || plan === plans.free)) wrong('plan');
  const bytes = body.bytes === undefined ? 0 : parseSize(body.bytes);
  if (bytes === undefined || (!plan && bytes < 1)) return wrong('bytes');
  const [startsAt, endsAt] = [timeIn(body.starts_at), timeIn(body.ends_at)];
  if (endsAt !== undefined && endsAt <= Math.max(startsAt ?? now, now)) wrong('ends_at');
  const shared = { count, uses, audience, note: note.trim(), startsAt, endsAt, length: days * DAY_MS };
  return {
    ...shared,
    ...(plan ? { kind: 'plan', plan: plan.id, bytes: 0 } : { kind: 'storage', plan: '', bytes }),
  };
}

export function mountAdminMembership(api: Api, { membership, people, desk, cursors, clock }: Parts): void {
  const { plans, batches, isOffering, isSelling } = membership;

  /** Rejects everyone but administrators, and them as well where there are no plans. */
  function require(call: Parameters<typeof requireOperator>[0]): void {
    requireOperator(call);
    if (!isOffering) throw new ApiFailure('not_found');
  }

  api.handle(adminMembershipApi.plans, async (call) => {
    requireOperator(call);
    const known = isOffering ? plans.ids.flatMap((id) => plans.find(id) ?? []) : [];
    return {
      plans: known
        .filter((plan) => plan !== plans.free)
        .map(({ id, name }) => ({ id, name: textIn(name, call.caller.locale) })),
      sells: isOffering && isSelling,
    };
  });

  api.handle(adminMembershipApi.grantPlan, { underKey: 'joined' }, async (call) => {
    require(call);
    await people.grantPlan(call.params.id, call.body.plan, call.body.days);
    return {};
  });

  api.handle(adminMembershipApi.endPlans, { underKey: 'joined' }, async (call) => {
    require(call);
    await people.endPlans(call.params.id);
    return {};
  });

  api.handle(adminMembershipApi.batches, async (call) => {
    require(call);
    const { limit, page_token: token } = call.query;
    const size = pageSize(limit, PAGE, MOST);
    const [before] = cursors.place('code-batches', token) ?? [];
    const rows = await batches.page({
      limit: size + 1,
      ...(before === undefined ? {} : { before: String(before) }),
    });
    const { page, next } = cutPage(rows, size, ({ id }) => [id]);
    const seen = { plans, locale: call.caller.locale, now: clock.now() };
    return {
      batches: page.map((one) => batchView(one, seen)),
      next_page_token: next ? cursors.token('code-batches', next) : '',
    };
  });

  api.handle(adminMembershipApi.createBatch, { underKey: 'joined' }, async (call) => {
    require(call);
    const now = clock.now();
    const batch = await batches.create(newBatch(call, plans, now));
    const seen = { plans, locale: call.caller.locale, now };
    return batchView({ ...batch, used: 0, isExportable: true }, seen);
  });

  api.handle(adminMembershipApi.endBatch, { underKey: 'joined' }, async (call) => {
    require(call);
    if (!(await batches.end(call.params.id))) throw new ApiFailure('not_found');
    return {};
  });

  api.handle(adminMembershipApi.orders, async (call) => {
    require(call);
    const { state, search = '', limit, page_token: token } = call.query;
    const { locale } = call.caller;
    if (search.trim() !== '') {
      const orders = await desk.search(search, state);
      return { orders: orders.map((one) => deskOrderView(one, locale)), next_page_token: '' };
    }
    const list = `orders:${state ?? ''}`;
    const size = pageSize(limit, PAGE, MOST);
    const [before] = cursors.place(list, token) ?? [];
    const rows = await desk.list({
      limit: size + 1,
      ...(state === undefined ? {} : { state }),
      ...(before === undefined ? {} : { before: String(before) }),
    });
    const { page, next } = cutPage(rows, size, ({ order }) => [order.id]);
    return {
      // Some may have expired a moment ago.
      orders: page
        .filter(({ order }) => state === undefined || order.state === state)
        .map((one) => deskOrderView(one, locale)),
      next_page_token: next ? cursors.token(list, next) : '',
    };
  });

  api.handle(adminMembershipApi.order, async (call) => {
    require(call);
    const { payment, isPending, ...shown } = await desk.get(call.params.id);
    return { order: deskOrderView(shown, call.caller.locale), payment, pending: isPending };
  });

  api.handle(adminMembershipApi.confirmOrder, async (call) => {
    require(call);
    const { isChanged, ...shown } = await desk.confirm(call.params.id);
    return { order: deskOrderView(shown, call.caller.locale), changed: isChanged };
  });

  api.handle(adminMembershipApi.cancelOrder, async (call) => {
    require(call);
    const { isChanged, ...shown } = await desk.cancel(call.params.id);
    return { order: deskOrderView(shown, call.caller.locale), changed: isChanged };
  });

  api.handle(adminMembershipApi.refundOrder, async (call) => {
    require(call);
    const { isChanged, isReturned, ...shown } = await desk.refund(call.params.id);
    return {
      order: deskOrderView(shown, call.caller.locale),
      changed: isChanged,
      returned: isReturned,
    };
  });
}
