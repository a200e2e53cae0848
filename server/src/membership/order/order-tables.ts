import type { OrderState, ProductKind } from '@bowerbird/contract';

export interface OrderTables {
  member_order: {
    id: string;
    account: string;
    reference: string;
    state: OrderState;
    product: string;
    term: string;
    kind: ProductKind;
    /** JSON of a text, or of one text per language. */
    name: string;
    plan: string;
    bytes: number;
    months: number;
    days: number;
    length: number;
    currency: string;
    amount: number;
    /** 1 if it starts or continues a renewal. */
    renews: number;
    /** Id of the renewal; "" until it has begun, and for the others. */
    renewal: string;
    /** The payment service's id of the invoice by which a renewal paid it. */
    invoice: string | null;
    created_at: number;
    expires_at: number;
    paid_at: number | null;
    ended_at: number | null;
  };
}
