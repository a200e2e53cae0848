import type { CheckoutState, PaymentState } from './payment.ts';

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
}
