import type { Locale } from '@bowerbird/contract';
import type { OrderRow } from './order.ts';
import type { BankDetails } from './product.ts';
import type { RemoteRenewal } from './renewal.ts';

/**
 * State of a page of a payment service on which an order can be paid. `pending` while the service waits for the money,
 * for example of a direct debit; after that `paid` or `failed`. `ended` if the page was closed or is too old.
 */
export type CheckoutState = 'open' | 'pending' | 'paid' | 'failed' | 'ended';
/**
 * Kind of thing to end at the payment service: a page (`checkout`), a renewal now (`renewal`), or a renewal at the end of
 * what is paid (`renewing`).
 */
export type EndingKind = 'checkout' | 'renewal' | 'renewing';
export type PaymentState = 'paid' | 'refunded';

/** States from which a page gets into each state. Events may arrive in any order, so a payment comes from any. */
export const CHECKOUT_FROM: Readonly<Record<Exclude<CheckoutState, 'open'>, readonly CheckoutState[]>> = {
  pending: ['open', 'ended'],
  paid: ['open', 'pending', 'failed', 'ended'],
  failed: ['open', 'pending'],
  ended: ['open'],
};

export interface Checkout {
  /** The payment service's id. */
  readonly id: string;
  readonly url: string;
  readonly expiresAt: number;
}

export interface PaymentRow {
  readonly id: string;
  readonly account: string;
  readonly order: string;
  readonly state: PaymentState;
  /** True if this payment paid the order; false if the order had been paid before. */
  readonly isSettling: boolean;
  readonly currency: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly receivedAt: number;
}

/** Money that a payment service got for an order or returned, in full. */
export interface Money {
  readonly kind: 'paid' | 'refunded';
  /** Id of the order, as it was given to the service. */
  readonly order: string;
  /** The service's id of the payment. */
  readonly payment: string;
  /** Page on which it was paid; "" if the event doesn't say. */
  readonly checkout: string;
  readonly currency: string;
  /** In the currency's smallest unit; -1 if the service's amount can't be expressed in it. */
  readonly amount: number;
}

/** Something about a renewal has changed. The event may be old: what is true now has to be asked. */
export interface RenewalNews {
  readonly kind: 'renewal';
  /** The service's id of the renewal. */
  readonly subscription: string;
  /** Page on which the renewal began; "" if the event doesn't say. */
  readonly checkout: string;
  /** State of that page; undefined if it is the same. */
  readonly state: 'pending' | 'paid' | 'failed' | undefined;
}

/** An event of a payment service, reduced to what orders need. */
export interface PaymentEvent {
  /** Unique; the service sends the same event several times. */
  readonly id: string;
  /** The service's name of the kind of event, for the log. */
  readonly type: string;
  /** Undefined if it has no consequences. */
  readonly news:
    | Money
    | { readonly kind: 'pending' | 'failed' | 'ended'; readonly checkout: string }
    | RenewalNews
    /** Something that the administrator has to decide. */
    | { readonly kind: 'unclear'; readonly order: string; readonly payment: string }
    | undefined;
}

/** Language of a page of a payment service, and where it leads back to. */
export interface CheckoutWish {
  readonly locale: Locale;
  /** Address of the order's page here. */
  readonly returnTo: string;
  /** Requests with the same key, for example from two tabs, create one page. */
  readonly key: string;
}

/** A payment service on the web. All calls but `read` throw `unavailable` if it doesn't work as expected. */
export interface PaymentService {
  /** Creates a page on which the order can be paid. */
  open(order: OrderRow, wish: CheckoutWish): Promise<Checkout>;
  /**
   * Closes a page, so that nobody pays there any more. A page that is closed or paid stays as it is; returns false if
   * somebody has paid there.
   */
  close(checkout: string): Promise<boolean>;
  /** Asks what has become of a page; undefined if it can still be used, or its money is on the way. */
  ask(checkout: string): Promise<PaymentEvent['news']>;
  /**
   * Closes a page for good: a renewal that began there is ended. For pages of members who no longer exist.
   */
  abandon(checkout: string): Promise<void>;
  /** Returns the whole amount of a payment, once, however often it is called. */
  refund(payment: string): Promise<void>;
  /** Asks for the present state of a renewal; undefined if the service doesn't know it. */
  renewal(subscription: string): Promise<RemoteRenewal | undefined>;
  /** Asks for the renewal that a payment was for; undefined if it was for none. */
  renewalOf(payment: string): Promise<string | undefined>;
  /**
   * Stops a renewal at the end of what is paid, or resumes it until then. One whose charge has failed is ended now, because
   * that charge must not be tried again.
   */
  setRenewing(subscription: string, isRenewing: boolean): Promise<void>;
  /** Ends a renewal now, so that nothing is charged any more. Once it has ended, repeating this has no effect. */
  endRenewal(subscription: string): Promise<void>;
  /** Creates a page on which the member can change how a renewal is paid. Returns its address. */
  openSettings(subscription: string, wish: { locale: Locale; returnTo: string }): Promise<string>;
  /** Reads an event that was sent to us; throws `invalid_argument` if its signature is wrong or too old. */
  read(body: Uint8Array, signature: string): Promise<PaymentEvent>;
}

/**
 * Ways to pay: by bank transfer to the account, with a payment service, or both. Without either there are no
 * products, and members get plans by other means, such as codes.
 */
export interface PaymentWays {
  readonly bank: BankDetails | undefined;
  readonly service: PaymentService | undefined;
}
