import { ApiFailure } from '@bowerbird/contract';
import type { Accounts } from '../../account/index.ts';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock } from '../../foundation/index.ts';
import { dayOf } from '../check-in.ts';
import type { Benefits, Cause, Term } from '../plan/index.ts';
import { isAffected, stateOf, type CalendarDay, type Campaign, type Gift } from './activity.ts';

/** Benefits that a member was given by an activity. */
export interface Claim {
  /** The benefits; at least one. */
  readonly benefits: readonly Term[];
  /** True only for the call that granted them. */
  readonly isNew: boolean;
}

/** An activity as one caller sees it. */
export interface CampaignView {
  readonly campaign: Campaign;
  readonly isAffected: boolean;
  /** Benefits of the compensation; empty unless it was claimed. */
  readonly claimed: readonly Term[];
  readonly today: string;
  readonly days: readonly CalendarDay[];
  /** When the next gift can be opened. */
  readonly nextAt: number | undefined;
}

/** Activities of the administrator, and what they give to members, each gift once. */
export interface Activities {
  /** In the order of the document. */
  readonly all: readonly Campaign[];
  /** Returns an activity as the account sees it, or a visitor if undefined. Throws `not_found`. */
  view(id: string, account: string | undefined): Promise<CampaignView>;
  /**
   * Grants a compensation; without an id the only one, or the only one that is running. Throws `not_found`,
   * `activity_not_running` or `compensation_not_affected`.
   */
  compensate(account: string, id: string | undefined): Promise<Claim>;
  /** Grants the gift of this day. Throws `not_found` without a calendar, `activity_not_running` without a gift. */
  openGift(account: string): Promise<Claim>;
}

interface Parts {
  database: Database;
  campaigns: readonly Campaign[];
  accounts: Pick<Accounts, 'find'>;
  benefits: Pick<Benefits, 'grant' | 'list'>;
  clock: Clock;
}

const DAY_MS = 24 * 3600 * 1000;

/** Cause and reference, which distinguish the benefits of one activity, or of one day of a calendar. */
interface Source {
  readonly cause: Extract<Cause, 'compensation' | 'activity'>;
  readonly reference: string;
}

const ofCompensation = ({ id }: Campaign): Source => ({ cause: 'compensation', reference: id });
const ofDay = ({ id }: Campaign, day: string): Source => ({ cause: 'activity', reference: `${id}/${day}` });
/** References of the second and later gifts, which an id can't contain. */
const LATER = '+';

const grantedBy = (benefits: readonly Term[], { cause, reference }: Source): Term[] =>
  benefits.filter(
    (one) =>
      one.cause === cause && (one.reference === reference || one.reference.startsWith(reference + LATER)),
  );

export function createActivities({ database, campaigns, accounts, benefits, clock }: Parts): Activities {
  /** Grants gifts once. What was granted before is returned without calling `admit`, which throws to refuse. */
  async function claim(
    account: string,
    source: Source,
    gifts: readonly Gift[],
    admit: (tx: Tx, benefits: readonly Term[]) => Promise<void>,
  ): Promise<Claim> {
    return database.transaction(async (tx) => {
      const before = await benefits.list(tx, account);
      const known = grantedBy(before, source);
      if (known.length > 0) return { benefits: known, isNew: false };
      await admit(tx, before);
      const isNew = await grantAll(tx, account, source, gifts);
      return { benefits: grantedBy(await benefits.list(tx, account), source), isNew };
    });
  }

  /** The first gift decides: if a parallel call has granted it, that call grants the others as well. */
  async function grantAll(
    tx: Tx,
    account: string,
    { cause, reference }: Source,
    gifts: readonly Gift[],
  ): Promise<boolean> {
    for (const [at, { kind, plan, bytes, days }] of gifts.entries()) {
      const isGranted = await benefits.grant(tx, {
        account,
        kind,
        plan: plan?.id ?? '',
        bytes,
        length: days * DAY_MS,
        cause,
        reference: at === 0 ? reference : `${reference}${LATER}${at}`,
      });
      if (!isGranted) return false;
    }
    return true;
  }

  const isRunning = (campaign: Campaign): boolean => stateOf(campaign, clock.now()) === 'running';

  function requireRunning(campaign: Campaign): void {
    if (!isRunning(campaign)) throw new ApiFailure('activity_not_running');
  }

  function compensationNamed(id: string | undefined): Campaign {
    const all = campaigns.filter(({ compensation }) => compensation);
    const running = all.filter(isRunning);
    const only = all.length === 1 ? all[0] : running.length === 1 ? running[0] : undefined;
    const campaign = id === undefined ? only : all.find((one) => one.id === id);
    if (!campaign) throw new ApiFailure('not_found');
    return campaign;
  }

  async function isMemberAffected(
    sql: Sql,
    { compensation, begins }: Campaign,
    account: string,
    granted: readonly Term[],
  ): Promise<boolean> {
    const member = compensation && (await accounts.find(sql, account));
    return member !== undefined && isAffected(compensation!.affected, member, granted, begins);
  }

  function daysOf(campaign: Campaign, granted: readonly Term[]): CalendarDay[] {
    const today = dayOf(clock.now());
    return [...(campaign.calendar?.keys() ?? [])].map((day) => {
      const [gift] = grantedBy(granted, ofDay(campaign, day));
      const isOpen = day === today && isRunning(campaign);
      const state = gift ? 'opened' : isOpen ? 'open' : day > today ? 'coming' : 'past';
      return { day, state, gift };
    });
  }

  function nextGiftAt({ calendar, begins, ends }: Campaign): number | undefined {
    const now = clock.now();
    const starts = [...(calendar?.keys() ?? [])].map((day) => Math.max(Date.parse(day), begins));
    return starts.find((time) => time > now && time < ends);
  }

  return {
    all: campaigns,

    async view(id, account) {
      const campaign = campaigns.find((one) => one.id === id);
      if (!campaign) throw new ApiFailure('not_found');
      const isPersonal = account !== undefined && (campaign.compensation ?? campaign.calendar) !== undefined;
      const granted = isPersonal ? await benefits.list(database, account) : [];
      return {
        campaign,
        isAffected: isPersonal && (await isMemberAffected(database, campaign, account, granted)),
        claimed: grantedBy(granted, ofCompensation(campaign)),
        today: dayOf(clock.now()),
        days: daysOf(campaign, granted),
        nextAt: nextGiftAt(campaign),
      };
    },

    async compensate(account, id) {
      const campaign = compensationNamed(id);
      return claim(account, ofCompensation(campaign), campaign.compensation!.gifts, async (tx, granted) => {
        requireRunning(campaign);
        if (!(await isMemberAffected(tx, campaign, account, granted)))
          throw new ApiFailure('compensation_not_affected');
      });
    },

    async openGift(account) {
      const campaign = campaigns.find(({ calendar }) => calendar);
      if (!campaign) throw new ApiFailure('not_found');
      const today = dayOf(clock.now());
      const gift = campaign.calendar!.get(today);
      return claim(account, ofDay(campaign, today), gift ? [gift] : [], async () => {
        if (!gift) throw new ApiFailure('activity_not_running');
        requireRunning(campaign);
      });
    },
  };
}
