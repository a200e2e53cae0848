import type { Generated } from 'kysely';
import type { CheckoutState, EndingKind, PaymentState } from './payment.ts';

export interface PaymentTables {
  order_checkout: {
    /** The payment service's. */
    id: string;
    account: string;
    order_id: string;
    state: CheckoutState;
    url: string;
    created_at: number;
    expires_at: number;
    /** When the service was last asked about it; 0 for never. */
    asked_at: Generated<number>;
  };
  order_payment: {
    /** The payment service's. */
    id: string;
    account: string;
    order_id: string;
    state: PaymentState;
    /** 1 if this payment paid the order, 0 if it had been paid before. */
    is_settling: number;
    currency: string;
    amount: number;
    received_at: number;
  };
  payment_event: { id: string; received_at: number };
  payment_ending: {
    /** The payment service's. */
    id: string;
    kind: EndingKind;
    tries: number;
    due_at: number;
  };
}
