import { createActivities, mountActivities, readCampaigns, type Activities } from './activity/index.ts';
import { mountCheckIns } from './check-in-routes.ts';
import { createCheckIns, type CheckIns } from './check-in-service.ts';
import { checkInStore } from './check-in-store.ts';
import { createBatches, createCodes, mountCodes, type Batches } from './code/index.ts';
import {
  createInvites,
  createNewcomers,
  createPurchaseRewards,
  INVITE_GUESSES,
  invitationStore,
  mountInvitations,
  mountPromoting,
  type Invites,
  type Newcomers,
} from './invitation/index.ts';
import { createCountLimits, type CountLimits } from './count-limit-service.ts';
import {
  createInvoices,
  createPrinter,
  invoiceStore,
  readInvoicing,
  type Invoices,
} from './invoice/index.ts';
import { createLedger, type Ledger } from './ledger-service.ts';
import { CODE_GUESSES } from './membership-limits.ts';
import { mountMembership } from './membership-routes.ts';
import { createQuota, type Quota } from './membership-service.ts';
import { createMembershipStore } from './membership-store.ts';
import { readOffers } from './offer/index.ts';
import {
  createSales,
  orderStore,
  paymentStore,
  readCatalog,
  renewalStore,
  type Orders,
  type Payments,
  type Renewals,
} from './order/index.ts';
import {
  benefitStore,
  createBenefits,
  createPlanMails,
  createStorageLimits,
  readPlans,
  type Benefits,
  type Plans,
} from './plan/index.ts';
import { createSpeeds } from './speed-service.ts';
import { mountStatus, type IsOutOfTasks, type Renews } from './status-routes.ts';
import { createTaskRewards } from './task-reward-service.ts';
import { createTraffic, type Traffic } from './traffic-service.ts';
import type { ProductKind } from '@bowerbird/contract';
import type { Accounts, Notices, Sessions } from '../account/index.ts';
import type { Domain, EraseAccount, Foundation } from '../foundation/domain/index.ts';
import type { Shield } from '../shield/index.ts';

export type { Batch, Batches, ListedBatch, NewBatch } from './code/index.ts';
export type { CountLimits } from './count-limit-service.ts';
export type { CheckIns } from './check-in-service.ts';
export type { InvoiceKind, InvoiceRow, Invoices } from './invoice/index.ts';
export type { Invitation, Invites, Newcomers } from './invitation/index.ts';
export type { Ledger, LedgerFilter } from './ledger-service.ts';
export type { Quota } from './membership-service.ts';
export type { LedgerEntry, LedgerNote, QuotaState } from './membership.ts';
export {
  createStripeService,
  orderView,
  readReference,
  type OrderRow,
  type Orders,
  type Outcome,
  type Payments,
  type Renewal,
  type Renewals,
} from './order/index.ts';
export { BASE, type Benefits, type Entitlements, type ExplainedPart, type Plans } from './plan/index.ts';
export { slicesAt } from './speed-service.ts';
export type { TrashRule } from './plan/index.ts';
export type { Moving, Traffic, TrafficState } from './traffic-service.ts';

export interface Membership extends Domain {
  readonly activities: Activities;
  readonly quota: Quota;
  readonly ledger: Ledger;
  readonly traffic: Traffic;
  readonly checkIns: CheckIns;
  readonly plans: Plans;
  readonly benefits: Benefits;
  readonly countLimits: CountLimits;
  readonly batches: Batches;
  readonly invites: Invites;
  readonly newcomers: Newcomers;
  readonly orders: Orders;
  readonly invoices: Invoices;
  readonly payments: Payments;
  readonly renewals: Renewals;
  /** True if the administrator's document describes anything; otherwise no plan may appear anywhere. */
  readonly isOffering: boolean;
  /** True if members can order something. */
  readonly isSelling: boolean;
  /** Hook for the domain that counts cloud downloads. */
  onTaskLimit(look: IsOutOfTasks): void;
  /**
   * Deletes the account's renewals, orders, payments, quota, ledger, benefits, traffic, check-ins, invitations and invite
   * code, and who bought something in its invoices. Returns the number of rows removed.
   */
  readonly eraseAccount: EraseAccount;
}

interface Parts extends Foundation {
  shield: Shield;
  accounts: Pick<Accounts, 'find'>;
  sessions: Pick<Sessions, 'origins'>;
  notices: Pick<Notices, 'tell'>;
  /** The administrator's description of the plans. */
  products: Readonly<Record<string, unknown>>;
  /** Main file of the helper processes. */
  program: string;
  /** The administrator's activities. */
  campaigns: Readonly<Record<string, unknown>>;
}

const EVERY_MS = 60_000;
const HOUR_MS = 3600 * 1000;

/** Plans and quotas: storage and traffic of members, and the ledger of changes. */
export function createMembership(parts: Parts): Membership {
  const { database, accounts, notices, shield, clock, ids, keys, log, config, products, program } = parts;
  const store = createMembershipStore();
  const hasStripe = config.STRIPE_SECRET_KEY !== undefined;
  const plans = readIn(PRODUCTS, () => readPlans(products, config));
  const offers = readIn(PRODUCTS, () => readOffers(products, plans, config));
  const catalog = readIn(PRODUCTS, () => readCatalog(products, plans, hasStripe));
  const campaigns = readIn(ACTIVITIES, () => readCampaigns(parts.campaigns, { plans, catalog, hasStripe }));
  const limits = createStorageLimits({ database, store, plans, clock, ids });
  const forSale = catalog.products.flatMap(({ plan }) => plan ?? []);
  const benefits = createBenefits({ plans, forSale, limits, clock, ids });
  const sells = (...kinds: ProductKind[]): boolean =>
    catalog.products.some(({ kind }) => kinds.includes(kind));
  const speeds = createSpeeds({ database, benefits });
  const traffic = createTraffic({ database, store, benefits, speeds, isSold: sells('traffic'), clock, log });
  const planMails = createPlanMails({ database, accounts, notices, plans, clock });
  const isSold = sells('storage', 'plan');
  const quota = createQuota({ store, traffic, isSold, clock, ids, limits });
  const ledger = createLedger({ database, quota, limits });
  const checkIns = createCheckIns({ database, benefits, offers, clock });
  const taskRewards = createTaskRewards({ database, benefits, offers });
  const batches = createBatches({ database, keys, clock, ids });
  const guard = shield.guard('activation-code', CODE_GUESSES);
  const codes = createCodes({ database, accounts, plans, benefits, guard, clock });
  const { hasPaidBefore } = orderStore;
  const purchases = createPurchaseRewards({ ...parts, benefits, offer: offers.invitations, hasPaidBefore });
  const invites = createInvites({ ...parts, benefits, purchases, offer: offers.invitations });
  const guesses = shield.guard('invite-code', INVITE_GUESSES);
  const newcomers = createNewcomers({ ...parts, benefits, offers, guesses });
  const invoicing = readIn(PRODUCTS, () => readInvoicing(products));
  const printer = createPrinter({ program, path: config.PATH, log });
  const operator = config.OPERATOR_NAME ?? catalog.bank?.recipient ?? hostOf(config.SITE_URL);
  const invoices = createInvoices({ database, accounts, invoicing, operator, printer, clock });
  const activities = createActivities({ database, campaigns, accounts, benefits, clock });
  const onSale = campaigns.flatMap(({ sale }) => (sale ? [sale] : []));
  const sales = createSales({
    ...parts,
    catalog,
    sales: onSale,
    benefits,
    invoices,
    friends: purchases,
    graceMs: plans.graceMs,
  });
  const renews: Renews = (sql, account, plan) => sales.renewals.isActive(sql, account, plan);
  let isOutOfTasks: IsOutOfTasks = async () => false;
  return {
    activities,
    quota,
    ledger,
    traffic,
    checkIns,
    plans,
    benefits,
    countLimits: createCountLimits({ benefits }),
    batches,
    invites,
    newcomers,
    orders: sales.orders,
    invoices,
    payments: sales.payments,
    isOffering: Object.keys(products).length > 0,
    isSelling: catalog.products.length > 0,
    renewals: sales.renewals,
    onTaskLimit(look) {
      isOutOfTasks = look;
    },
    async eraseAccount(account, signal) {
      // Charges to come are noted before they are forgotten, and ended by a job.
      await database.transaction((tx) => sales.endings.forAccount(tx, account));
      let removed = await renewalStore.eraseAccount(database, account, signal);
      // Orders first: a payment that is confirmed meanwhile finds none, or its benefit is deleted after them.
      removed += await orderStore.eraseAccount(database, account, signal);
      removed += await paymentStore.eraseAccount(database, account, signal);
      removed += await invoiceStore.eraseAccount(database, account, signal);
      removed += await checkInStore.eraseAccount(database, account, signal);
      removed += await benefitStore.eraseAccount(database, account, signal);
      removed += await invitationStore.eraseAccount(database, account, signal);
      return removed + (await store.eraseAccount(database, account, signal));
    },
    mount({ api, http }) {
      const kindsForSale = [...new Set(catalog.products.map(({ kind }) => kind))];
      const { offlineMonthly, downloadMonthly, uploadMonthly } = benefits.least;
      const isTrafficLimited = Math.min(offlineMonthly, downloadMonthly, uploadMonthly) !== Infinity;
      const offered = { ...offers, kindsForSale, isTrafficLimited };
      mountMembership(api, { database, quota, traffic, benefits, offers: offered, codes, renews, clock });
      mountStatus(api, {
        database,
        quota,
        benefits,
        plans,
        renews,
        isOutOfTasks: (account) => isOutOfTasks(account),
        isSold: kindsForSale.includes('plan'),
        siteUrl: config.SITE_URL,
        clock,
      });
      mountCheckIns(api, { database, checkIns, taskRewards, benefits, humans: shield.humans });
      mountCodes(api, codes, newcomers.redeem);
      mountInvitations(api, { invites, newcomers, offers, clock });
      mountPromoting(api, { invites, clock });
      mountActivities(api, { activities, plans, clock });
      sales.mount?.({ api, http });
    },
    define(jobs) {
      jobs.define('update-limits', (_payload, { signal }) => limits.updateDue(signal), { everyMs: EVERY_MS });
      jobs.define('remind-plans', (_payload, { signal }) => planMails.remind(signal), { everyMs: EVERY_MS });
      jobs.define('reward-invitations', (_payload, { signal }) => invites.rewardDue(signal), {
        everyMs: EVERY_MS,
      });
      jobs.define('forget-newcomers', () => newcomers.forgetOld(), { everyMs: HOUR_MS });
      sales.define?.(jobs);
    },
    async close() {
      await printer.close();
      await traffic.flush();
    },
  };
}

const hostOf = (url: string | undefined): string => URL.parse(url ?? '')?.hostname ?? 'Bowerbird';

const PRODUCTS = 'external_products';
const ACTIVITIES = 'activity_operation';

function readIn<T>(document: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`SITE_DOCUMENTS: ${document}: ${(error as Error).message}`, { cause: error });
  }
}
