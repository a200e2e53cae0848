import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LOCALES } from '../language/locales.ts';
import { Decimal, Id, MaybeTime, oneOf, Time } from '../wire.ts';

export const PRODUCT_KINDS = ['plan', 'storage', 'traffic'] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];

/**
 * State of an order. `open` until it is paid; `canceled` by the member or the administrator; `expired` if it was not
 * paid in time; `refunded` if the money was returned.
 */
export const ORDER_STATES = ['open', 'paid', 'canceled', 'expired', 'refunded'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/**
 * PDF files about an order. `receipt` only for orders without an invoice: paid before the installation issued invoices,
 * or while no seller was named.
 */
export const ORDER_DOCUMENTS = ['invoice', 'credit_note', 'receipt'] as const;
export type OrderDocumentKind = (typeof ORDER_DOCUMENTS)[number];

const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' });
const Amount = Type.Integer({ description: "In the currency's smallest unit, such as cents." });
const ShortId = Type.String({ minLength: 1, maxLength: 32 });
/** Length of a term: whole months, or else days; the other is 0. */
const Length = { months: Type.Integer({ minimum: 0 }), days: Type.Integer({ minimum: 0 }) };
const Count = Type.Integer({ description: '-1 for no limit.' });

const Limits = Type.Object({
  storage: Decimal,
  tasks_daily: Count,
  tasks_running: Count,
  task_size: Decimal,
  /** Bytes per month; "-1" for no limit. */
  offline_monthly: Decimal,
  download_monthly: Decimal,
  upload_monthly: Decimal,
  /** Bytes per second; "-1" for no limit. */
  download_speed: Decimal,
  /** Active shares. */
  shares: Count,
  /** Feeds and links that are downloaded automatically. */
  subscriptions: Count,
  /** Earlier contents that are kept of each file, the days for which they are, and the days of the trash. */
  versions: Count,
  version_days: Count,
  trash_days: Count,
});
export type PlanLimits = Static<typeof Limits>;

const Term = Type.Object({
  id: ShortId,
  ...Length,
  /** True if members can let it renew automatically. */
  renews: Type.Boolean(),
  prices: Type.Record(Type.String(), Amount, { description: 'Current prices, by currency.' }),
  regular_prices: Type.Record(Type.String(), Amount, {
    description: 'Prices after a sale, by currency; empty unless it is on sale.',
  }),
  /** When the sale ends; `""` unless it is on sale. */
  sale_end_time: MaybeTime,
});

const Product = Type.Object({
  id: ShortId,
  kind: oneOf(PRODUCT_KINDS),
  /** In the caller's language. */
  name: Type.String(),
  /** In the caller's language; `""` for none. */
  description: Type.String(),
  /** Id of the plan; `""` for the others. */
  plan: Type.String(),
  /** Limits of the plan; null for the others. */
  limits: Type.Union([Limits, Type.Null()]),
  /** Bytes of additional storage, or of additional traffic per month and kind; `"0"` for a plan. */
  bytes: Decimal,
  terms: Type.Array(Term),
});
export type Product = Static<typeof Product>;

const OrderDocument = Type.Object({
  kind: oneOf(ORDER_DOCUMENTS),
  /** `""` for a receipt. */
  number: Type.String(),
});
export type OrderDocument = Static<typeof OrderDocument>;

export const MemberOrder = Type.Object({
  id: Id,
  /** Letters and digits for the payment, to be quoted by the payer. */
  reference: Type.String(),
  state: oneOf(ORDER_STATES),
  kind: oneOf(PRODUCT_KINDS),
  /** Name of the product, in the caller's language. */
  name: Type.String(),
  bytes: Decimal,
  ...Length,
  /** True if it starts or continues a renewal. */
  renews: Type.Boolean(),
  currency: Currency,
  amount: Amount,
  created_time: Time,
  /** When an open order expires. */
  expire_time: Time,
  paid_time: MaybeTime,
  /** When it was canceled, expired or refunded. */
  ended_time: MaybeTime,
  /** PDF files at `/vip/v1/orders/{id}/documents/{kind}`, oldest first; empty until the order is paid. */
  documents: Type.Array(OrderDocument),
});
export type MemberOrder = Static<typeof MemberOrder>;

const BankAccount = Type.Object({
  recipient: Type.String(),
  account: Type.String({ description: 'Account number or IBAN.' }),
  bank: Type.String(),
  bic: Type.String(),
  note: Type.String({ description: "Further details in the caller's language." }),
});
export type BankAccount = Static<typeof BankAccount>;

export const orderApi = {
  products: endpoint({
    name: 'order.products',
    method: 'GET',
    path: '/vip/v1/products',
    host: 'drive',
    credentials: 'optional',
    summary: 'List what is for sale',
    description:
      'Plans, additional storage and additional traffic with their prices. Empty if nothing is sold.',
    reply: Type.Object({
      products: Type.Array(Product),
      /** All products have a price in each of them. */
      currencies: Type.Array(Currency),
      /** The one for the caller's country or language; `""` if nothing is sold. */
      currency: Type.String(),
      /** Ids of the plans that the caller has. */
      plans: Type.Array(Type.String()),
      /** The same plans, the one that lasts longest first. */
      held: Type.Array(
        Type.Object({
          plan: Type.String(),
          /** In the caller's language. */
          name: Type.String(),
          /** When it ends; `""` if it doesn't. */
          expire: MaybeTime,
        }),
      ),
      /** Limits of members without a plan. */
      free: Limits,
    }),
  }),
  create: endpoint({
    name: 'order.create',
    method: 'POST',
    path: '/vip/v1/orders',
    host: 'drive',
    credentials: 'required',
    summary: 'Order a product',
    description:
      'An open order for the same product, term and price is returned instead of creating another one.',
    body: Type.Object({
      product: ShortId,
      term: ShortId,
      currency: Currency,
      /** True to pay for further terms automatically, if the term renews. */
      renews: Type.Optional(Type.Boolean()),
    }),
    reply: MemberOrder,
    errors: ['not_found', 'order_limit', 'renewal_exists', 'too_frequent'],
  }),
  list: endpoint({
    name: 'order.list',
    method: 'GET',
    path: '/vip/v1/orders',
    host: 'drive',
    credentials: 'required',
    summary: 'List your orders',
    description: 'The newest 100 orders, newest first.',
    reply: Type.Object({ orders: Type.Array(MemberOrder) }),
  }),
  get: endpoint({
    name: 'order.get',
    method: 'GET',
    path: '/vip/v1/orders/{id}',
    host: 'drive',
    credentials: 'required',
    summary: 'Get an order',
    description:
      'Each of its `documents` can be downloaded as a PDF file: `GET /vip/v1/orders/{id}/documents/{kind}`, in the language of `language=ja` or else the caller’s.',
    params: Type.Object({ id: Id }),
    reply: Type.Object({
      order: MemberOrder,
      /** Account to which the money can be transferred; null if members pay only online. */
      bank_transfer: Type.Union([BankAccount, Type.Null()]),
      /** True if it can be paid online, see `order.pay`. */
      online: Type.Boolean(),
      /** True while the payment service waits for the money. */
      pending: Type.Boolean(),
    }),
    errors: ['not_found'],
  }),
  pay: endpoint({
    name: 'order.pay',
    method: 'POST',
    path: '/vip/v1/orders/{id}/pay',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Pay an order online',
    description:
      'Returns the address of a page of the payment service, which leads back to the order afterwards. The order is paid once the service has reported it.',
    params: Type.Object({ id: Id }),
    body: Type.Object({
      prefix: Type.Optional(oneOf(LOCALES)),
    }),
    reply: Type.Object({ url: Type.String() }),
    errors: ['not_found', 'order_not_open', 'renewal_exists', 'too_frequent'],
  }),
  cancel: endpoint({
    name: 'order.cancel',
    method: 'POST',
    path: '/vip/v1/orders/{id}/cancel',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Cancel an open order',
    description: 'Returns the order. An order that isn’t open stays as it is.',
    params: Type.Object({ id: Id }),
    reply: MemberOrder,
    errors: ['not_found'],
  }),
};
