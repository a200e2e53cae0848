import { createHash } from 'node:crypto';
import { localText, type Fields, type LocalText } from '@bowerbird/contract';
import { readSize, type Config } from '../../foundation/index.ts';
import { fieldsOf, listOf } from '../document.ts';
import { best, type Entitlements } from './entitlement.ts';

/** The plan of everyone who has no other. */
export const FREE = 'free';
/** The plan that exists even if the administrator describes none. */
export const VIP = 'vip';

export interface Plan {
  readonly id: string;
  readonly name: LocalText;
  /** At least those of the free plan. */
  readonly entitlements: Entitlements;
}

/** The plans of this installation, from the document `external_products` and the settings. */
export interface Plans {
  readonly free: Plan;
  /** Undefined if the plan does not exist, or not any more. */
  find(id: string): Plan | undefined;
  readonly ids: readonly string[];
  /** Time in which the storage of a plan remains after its end. */
  readonly graceMs: number;
  /** Changes whenever limits of storage may have changed. */
  readonly basis: string;
}

const DAY_MS = 24 * 3600 * 1000;
const USUAL_GRACE_DAYS = 7;
const MOST_GRACE_DAYS = 365;
const TERABYTE = 2 ** 40;
const USUAL_VIP: Entitlements = {
  storage: 2 * TERABYTE,
  tasksDaily: Infinity,
  tasksRunning: 20,
  taskSize: TERABYTE,
  trafficDaily: Infinity,
  offlineMonthly: Infinity,
  downloadMonthly: Infinity,
  uploadMonthly: Infinity,
  downloadSpeed: Infinity,
  shares: Infinity,
  subscriptions: 500,
  versions: 100,
  versionDays: 365,
  // As many as the free plan has.
  trashDays: 0,
};
/** Names of limits in the document, and how each is read. */
const FIELDS = {
  storage: ['storage', 'bytes'],
  tasksDaily: ['tasks_daily', 'count'],
  tasksRunning: ['tasks_running', 'count'],
  taskSize: ['task_size', 'bytes'],
  trafficDaily: ['traffic_daily', 'bytes'],
  offlineMonthly: ['offline_monthly', 'bytes'],
  downloadMonthly: ['download_monthly', 'bytes'],
  uploadMonthly: ['upload_monthly', 'bytes'],
  downloadSpeed: ['download_speed', 'bytes'],
  shares: ['shares', 'count'],
  subscriptions: ['subscriptions', 'count'],
  versions: ['versions', 'count'],
  versionDays: ['version_days', 'count'],
  trashDays: ['trash_days', 'count'],
} as const satisfies Record<keyof Entitlements, readonly [string, 'bytes' | 'count']>;
/** Limits for which 0 means that there is none, as in the settings. */
const UNLIMITED_AT_ZERO: ReadonlySet<string> = new Set([
  'tasksDaily',
  'trafficDaily',
  'offlineMonthly',
  'downloadMonthly',
  'uploadMonthly',
  'downloadSpeed',
  'shares',
  'subscriptions',
  'versionDays',
]);
const KNOWN = ['id', 'name', ...Object.values(FIELDS).map(([field]) => field)];

const orUnlimited = (value: number): number => value || Infinity;

function limitOf(value: unknown, kind: 'bytes' | 'count', what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  if (kind === 'count') throw new Error(`${what} must be a whole number`);
  try {
    return readSize(String(value));
  } catch (error) {
    throw new Error(`${what} ${(error as Error).message}`, { cause: error });
  }
}

function planOf(value: unknown, at: number, free: Entitlements): Plan {
  const here = `plans[${at}]`;
  const entry = fieldsOf(value, here, KNOWN);
  const { id } = entry;
  if (typeof id !== 'string' || !/^[a-z][a-z0-9-]{0,31}$/.test(id))
    throw new Error(`${here}.id must be a short name in small letters`);
  const usual = id === VIP ? USUAL_VIP : free;
  const limits = Object.entries(FIELDS).map(([name, [field, kind]]) => {
    const written = entry[field];
    if (written === undefined) return [name, usual[name as keyof Entitlements]];
    const limit = limitOf(written, kind, `${here}.${field}`);
    return [name, UNLIMITED_AT_ZERO.has(name) ? orUnlimited(limit) : limit];
  });
  return {
    id,
    name: entry['name'] === undefined ? id : localText(entry['name'], `${here}.name`),
    entitlements: best(free, Object.fromEntries(limits) as Entitlements),
  };
}

/** Finds the plan that a document names, other than the free one; throws a sentence if there is none. */
export function planNamed(id: unknown, what: string, plans: Plans): Plan {
  const plan = typeof id === 'string' ? plans.find(id) : undefined;
  if (plan && plan.id !== FREE) return plan;
  const others = plans.ids.filter((one) => one !== FREE);
  throw new Error(`${what} must be one of the plans: ${others.join(', ')}`);
}

function graceOf(value: unknown): number {
  if (value === undefined) return USUAL_GRACE_DAYS * DAY_MS;
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > MOST_GRACE_DAYS)
    throw new Error(`grace_days must be a number of days, at most ${MOST_GRACE_DAYS}`);
  return Number(value) * DAY_MS;
}

type Settings = Pick<
  Config,
  | 'MEMBER_STORAGE'
  | 'OFFLINE_DAILY'
  | 'OFFLINE_RUNNING'
  | 'OFFLINE_SIZE'
  | 'OFFLINE_TRAFFIC'
  | 'MONTHLY_OFFLINE'
  | 'MONTHLY_DOWNLOAD'
  | 'MONTHLY_UPLOAD'
  | 'DOWNLOAD_SPEED'
  | 'MEMBER_SHARES'
  | 'MEMBER_SUBSCRIPTIONS'
  | 'MEMBER_VERSIONS'
  | 'MEMBER_VERSION_DAYS'
  | 'TRASH_DAYS'
>;

/** Reads the plans; throws a sentence about an error in the document. The settings describe the free plan. */
export function readPlans(document: Fields, settings: Settings): Plans {
  const limits: Entitlements = {
    storage: settings.MEMBER_STORAGE,
    tasksDaily: orUnlimited(settings.OFFLINE_DAILY),
    tasksRunning: settings.OFFLINE_RUNNING,
    taskSize: settings.OFFLINE_SIZE,
    trafficDaily: orUnlimited(settings.OFFLINE_TRAFFIC),
    offlineMonthly: orUnlimited(settings.MONTHLY_OFFLINE),
    downloadMonthly: orUnlimited(settings.MONTHLY_DOWNLOAD),
    uploadMonthly: orUnlimited(settings.MONTHLY_UPLOAD),
    downloadSpeed: orUnlimited(settings.DOWNLOAD_SPEED),
    shares: orUnlimited(settings.MEMBER_SHARES),
    subscriptions: orUnlimited(settings.MEMBER_SUBSCRIPTIONS),
    versions: settings.MEMBER_VERSIONS,
    versionDays: orUnlimited(settings.MEMBER_VERSION_DAYS),
    trashDays: settings.TRASH_DAYS,
  };
  const free: Plan = { id: FREE, name: FREE, entitlements: limits };
  const entries = listOf(document['plans'] ?? [], 'plans');
  const plans = new Map([[FREE, free]]);
  for (const [at, entry] of entries.entries()) {
    const plan = planOf(entry, at, limits);
    if (plans.has(plan.id))
      throw new Error(
        plan.id === FREE
          ? `plans[${at}]: the free plan is described by the settings`
          : `plans has ${plan.id} twice`,
      );
    plans.set(plan.id, plan);
  }
  if (!plans.has(VIP)) plans.set(VIP, planOf({ id: VIP, name: 'VIP' }, entries.length, limits));
  const graceMs = graceOf(document['grace_days']);
  const storage = [...plans.values()].map(({ id, entitlements }) => [id, entitlements.storage]);
  return {
    free,
    find: (id) => plans.get(id),
    ids: [...plans.keys()],
    graceMs,
    basis: createHash('sha256')
      .update(JSON.stringify([graceMs, storage]))
      .digest('base64url')
      .slice(0, 16),
  };
}
