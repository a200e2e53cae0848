import { documentTime, readActivities, type Activity, type Fields } from '@bowerbird/contract';
import { emailKey, readPhone } from '../../account/index.ts';
import { fieldsOf, listOf, sizeOf, wholeNumber } from '../document.ts';
import { readSale, type Catalog } from '../order/index.ts';
import { planNamed, type Plans } from '../plan/index.ts';
import { daysOf, type Affected, type Campaign, type Gift } from './activity.ts';

interface Known {
  readonly plans: Plans;
  readonly catalog: Catalog;
  /** True if members can pay with Stripe. */
  readonly hasStripe: boolean;
}

const MOST_DAYS = 3650;
const MOST_GIFTS = 10;
const MOST_CALENDAR_DAYS = 62;
const MOST_MEMBERS = 100_000;
const FIELDS = ['name', 'id', 'begins', 'ends', 'title', 'lead', 'text', 'action'];
/** The field that says what an activity gives, by its name. */
const GIVES = { compensation: 'compensation', christmas: 'gifts', 'black-friday': 'sale' } as const;

function giftOf(value: unknown, what: string, { plans }: Known, more: readonly string[] = []): Gift {
  const fields = fieldsOf(value, what, ['plan', 'storage', 'traffic', 'days', ...more]);
  const { plan, storage, traffic } = fields;
  if ([plan, storage, traffic].filter((one) => one !== undefined).length !== 1)
    throw new Error(`${what} must have one of plan, storage and traffic`);
  const days = wholeNumber(fields['days'], `${what}.days`, MOST_DAYS);
  if (plan !== undefined)
    return { kind: 'plan', plan: planNamed(plan, `${what}.plan`, plans), bytes: 0, days };
  const kind = storage === undefined ? 'traffic' : 'storage';
  return { kind, plan: undefined, bytes: sizeOf(storage ?? traffic, `${what}.${kind}`), days };
}

function memberOf(value: unknown, what: string): string {
  if (typeof value === 'string' && value.trim() !== '')
    return value.includes('@') ? emailKey(value) : (readPhone(value)?.number ?? value.trim());
  throw new Error(`${what} must be an email address, a phone number or an account's ID`);
}

const CONDITIONS = ['registered_before', 'had_plan', 'members'];

function affectedOf(value: unknown, what: string, { plans }: Known): Affected {
  if (value === 'everyone') return { registeredBefore: undefined, hadPlan: undefined, members: undefined };
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    throw new Error(`${what} must be "everyone", or an object with some of ${CONDITIONS.join(', ')}`);
  const fields = fieldsOf(value, what, CONDITIONS);
  const { registered_before: before, had_plan: plan, members } = fields;
  const listed = members === undefined ? undefined : listOf(members, `${what}.members`);
  if (listed && (listed.length === 0 || listed.length > MOST_MEMBERS))
    throw new Error(`${what}.members must have 1 to ${MOST_MEMBERS} entries`);
  return {
    registeredBefore: before === undefined ? undefined : documentTime(before, `${what}.registered_before`),
    hadPlan: plan === undefined ? undefined : planTimeOf(plan, `${what}.had_plan`, plans),
    members: listed && new Set(listed.map((member, at) => memberOf(member, `${what}.members[${at}]`))),
  };
}

function planTimeOf(value: unknown, what: string, plans: Plans): NonNullable<Affected['hadPlan']> {
  const { plan, since, until } = fieldsOf(value, what, ['plan', 'since', 'until']);
  const period = {
    since: documentTime(since, `${what}.since`),
    until: documentTime(until, `${what}.until`),
  };
  if (period.until <= period.since) throw new Error(`${what} ends before it begins`);
  return { plan: plan === undefined ? undefined : planNamed(plan, `${what}.plan`, plans).id, ...period };
}

function compensationOf(value: unknown, what: string, known: Known): Campaign['compensation'] {
  const fields = fieldsOf(value, what, ['affected', 'gifts']);
  const gifts = listOf(fields['gifts'], `${what}.gifts`);
  if (gifts.length === 0 || gifts.length > MOST_GIFTS)
    throw new Error(`${what}.gifts must have 1 to ${MOST_GIFTS} gifts`);
  return {
    affected: affectedOf(fields['affected'], `${what}.affected`, known),
    gifts: gifts.map((gift, at) => giftOf(gift, `${what}.gifts[${at}]`, known)),
  };
}

/** Reads gifts by day; the one without a day is for all others. */
function calendarOf(value: unknown, what: string, activity: Activity, known: Known): Campaign['calendar'] {
  const days = daysOf(activity);
  if (days.length > MOST_CALENDAR_DAYS)
    throw new Error(
      `${what} can be given on at most ${MOST_CALENDAR_DAYS} days; this activity has ${days.length}`,
    );
  const gifts = new Map<string, Gift>();
  let other: Gift | undefined;
  for (const [at, entry] of listOf(value, what).entries()) {
    const here = `${what}[${at}]`;
    const gift = giftOf(entry, here, known, ['day']);
    const { day } = entry as Fields;
    if (day === undefined) {
      if (other) throw new Error(`${what} has two gifts without a day`);
      other = gift;
    } else if (typeof day !== 'string' || !days.includes(day)) {
      throw new Error(`${here}.day must be a day from ${days[0]} to ${days.at(-1)}`);
    } else {
      if (gifts.has(day)) throw new Error(`${what} has ${day} twice`);
      gifts.set(day, gift);
    }
  }
  if (gifts.size === 0 && !other) throw new Error(`${what} must not be empty`);
  return new Map(
    days.flatMap((day): [string, Gift][] => {
      const gift = gifts.get(day) ?? other;
      return gift ? [[day, gift]] : [];
    }),
  );
}

/**
 * Reads the document `activity_operation` with what its activities give. Throws a sentence about an error in it.
 */
export function readCampaigns(document: Fields, known: Known): Campaign[] {
  const entries = listOf(document['activities'] ?? [], 'activities');
  return readActivities(document).map((activity, at): Campaign => {
    const here = `activities[${at}]`;
    const given = GIVES[activity.name];
    const wrong = Object.values(GIVES).find((field) => field !== given && field in (entries[at] as Fields));
    if (wrong) throw new Error(`${here}.${wrong} is not for ${activity.name}, which can have ${given}`);
    const value = fieldsOf(entries[at], here, [...FIELDS, given])[given];
    const what = `${here}.${given}`;
    const gives = <T>(field: string, read: () => T): T | undefined =>
      field === given && value !== undefined ? read() : undefined;
    return {
      ...activity,
      compensation: gives('compensation', () => compensationOf(value, what, known)),
      calendar: gives('gifts', () => calendarOf(value, what, activity, known)),
      sale: gives('sale', () =>
        readSale(value, what, { ...known, begins: activity.begins, ends: activity.ends }),
      ),
    };
  });
}
