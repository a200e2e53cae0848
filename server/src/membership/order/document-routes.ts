import {
  ApiFailure,
  isLocale,
  ORDER_DOCUMENTS,
  orderApi,
  scopeOf,
  type Locale,
  type OrderDocumentKind,
} from '@bowerbird/contract';
import type { FastifyInstance } from 'fastify';
import { attachment, memberOf } from '../../foundation/http/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { Invoices, PrintedFile } from '../invoice/index.ts';
import type { Orders } from './order-service.ts';
import { documentsOf } from './order-view.ts';
import type { OrderRow } from './order.ts';
import type { Payments } from './payment-service.ts';

interface Parts {
  orders: Pick<Orders, 'get'>;
  payments: Pick<Payments, 'paidBy'>;
  invoices: Pick<Invoices, 'ofAccount' | 'pdf' | 'receipt'>;
  /** Limits how often a member downloads them. */
  printing: Guard;
}

/** Offers invoices, credit notes and receipts as PDF files, to the member who ordered. */
export function mountDocuments(app: FastifyInstance, { orders, payments, invoices, printing }: Parts): void {
  async function receipt(order: OrderRow, locale: Locale): Promise<PrintedFile> {
    const paidBy = await payments.paidBy(order);
    const refundedAt = order.state === 'refunded' ? order.endedAt : undefined;
    return invoices.receipt(order, { paidBy, refundedAt }, locale);
  }

  async function print(order: OrderRow, kind: OrderDocumentKind, locale: Locale): Promise<PrintedFile> {
    const issued = await invoices.ofAccount(order.account);
    if (!documentsOf(order, issued).some((one) => one.kind === kind)) throw new ApiFailure('not_found');
    if (kind === 'receipt') return receipt(order, locale);
    return invoices.pdf(
      issued.find((one) => one.buyer?.order === order.id && one.kind === kind)!,
      locale,
    );
  }

  app.get('/vip/v1/orders/:id/documents/:kind', { exposeHeadRoute: false }, async (request, reply) => {
    const { caller } = request;
    const viewer = await memberOf(caller, scopeOf(orderApi.get));
    const { id, kind: asked } = request.params as { id: string; kind: string };
    const kind = ORDER_DOCUMENTS.find((one) => one === asked);
    if (!kind) throw new ApiFailure('not_found');
    const order = await orders.get(viewer.account, id);
    await printing.attempt(viewer.account, caller.address);
    const { language } = request.query as { language?: unknown };
    const locale = typeof language === 'string' && isLocale(language) ? language : caller.locale;
    const { name, bytes } = await print(order, kind, locale);
    return reply.headers(attachment('application/pdf', name)).send(bytes);
  });
}
