import type { RenewalState } from '@bowerbird/contract';

/** A plan that a payment service charges again at the end of each term. */
export interface RenewalRow {
  readonly id: string;
  readonly account: string;
  /** The payment service's id. */
  readonly subscription: string;
  /** Order that started it: it says what is renewed. */
  readonly firstOrder: string;
  /** Order of the latest term that was paid. */
  readonly lastOrder: string;
  readonly plan: string;
  readonly state: RenewalState;
  /** When the next term is charged, or would be. */
  readonly nextAt: number | undefined;
  /** Unpaid invoice about which the member was told; "" for none. */
  readonly told: string;
  /** Number of times that the service was asked for the state. */
  readonly asks: number;
  /** Number of the question from which the state comes: answers to earlier ones are older. */
  readonly answered: number;
  readonly askedAt: number;
  readonly createdAt: number;
  readonly endedAt: number | undefined;
}

/** A renewal as the payment service describes it. */
export interface RemoteRenewal {
  readonly subscription: string;
  /** Id of the order that started it, as it was given to the service. */
  readonly order: string;
  readonly state: RenewalState;
  readonly nextAt: number | undefined;
  /** The latest invoice if it isn't paid; "" if it is. */
  readonly unpaid: string;
  /** Paid invoices of whole terms, oldest first. */
  readonly paid: readonly PaidInvoice[];
}

export interface PaidInvoice {
  /** The service's id. */
  readonly id: string;
  /** The service's id of the payment; "" if nothing had to be paid, or the money came in another way. */
  readonly payment: string;
  readonly currency: string;
  /** In the currency's smallest unit; -1 if the service's amount can't be expressed in it. */
  readonly amount: number;
}

/** True if the plan will be charged again. */
export const isRenewing = ({ state }: Pick<RenewalRow, 'state'>): boolean =>
  state === 'active' || state === 'past_due';

const DAY_MS = 24 * 3600 * 1000;
/** A charge is only made some time after the end of a term, and may have to be tried again. */
const LEAST_EXTENSION_MS = 3 * DAY_MS;

/**
 * Time for which a plan that renews stays after its paid end, so that neither a charge that takes a while nor one that
 * is tried again interrupts it: as long as storage stays after the end of a term, but at least three days.
 */
export const extensionMs = (graceMs: number): number => Math.max(graceMs, LEAST_EXTENSION_MS);
