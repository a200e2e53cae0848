import { ApiFailure, LIMITS, type ShareStatus } from '@bowerbird/contract';
import { CLEAR_LETTERS, drawLetters } from '../foundation/index.ts';
import { isUsable, oneLine, type AccountRow } from '../account/index.ts';

/** Verdicts of moderation. */
export const MARKS = ['none', 'auditing', 'sensitive_resource', 'sensitive_word', 'prohibited'] as const;
export type Mark = (typeof MARKS)[number];

/** Share of some roots of one drive, open to anybody with the link. The roots never change; everything else may. */
export interface ShareRow {
  readonly id: string;
  readonly account: string;
  readonly title: string;
  /** Encrypted, because its owner may read it again; undefined if anyone with the link may enter. */
  readonly passcode: string | undefined;
  /** Incremented with every change of the passcode, which invalidates earlier tokens. */
  readonly passcodeVersion: number;
  readonly expiresAt: number | undefined;
  readonly expirationDays: number;
  /** Limit of completed restores; -1 for none. */
  readonly restoreLimit: number;
  readonly restoreCount: number;
  /** Running restores that hold a place below the limit. */
  readonly restoreReserved: number;
  readonly viewCount: number;
  readonly downloadCount: number;
  readonly rootCount: number;
  /** Bytes of the files among the roots; folders are not walked. */
  readonly rootSize: number;
  readonly mark: Mark;
  /** True if content marked as sensitive can still be viewed, behind a cover. */
  readonly markCovered: boolean;
  readonly paused: boolean;
  readonly cancelled: boolean;
  readonly shareTo: string;
  readonly createdAt: number;
}

/**
 * Credentials of the caller for a locked share: `free` if none are needed (no passcode, or the caller is the
 * owner); `outdated` is one of our tokens that has expired or whose passcode has changed.
 */
export type Entry = 'free' | 'right' | 'absent' | 'outdated' | 'wrong';

/** Everything that decides whether a share opens. */
export interface Sighting {
  readonly share: ShareRow | undefined;
  /** Undefined if the account was erased. */
  readonly owner: AccountRow | undefined;
  /** True if any root is still a live node. */
  readonly live: boolean;
  readonly entry: Entry;
  readonly now: number;
}

export interface Verdict {
  readonly status: ShareStatus;
  /** True if the contents are visible. */
  readonly open: boolean;
}

type Check = readonly [
  status: ShareStatus,
  applies: (sighting: Sighting & { share: ShareRow }) => boolean,
  open?: 'open',
];

const reached = ({ share }: { share: ShareRow }): boolean =>
  share.restoreLimit >= 0 && share.restoreCount >= share.restoreLimit;

/**
 * The first check that applies decides (docs/decisions/0005-share-states.md explains the order). Checks that close a
 * share precede its passcode, so that nobody types one for nothing; checks that only cover it follow.
 */
const CHECKS: readonly Check[] = [
  ['DELETED', ({ share, owner, live }) => share.cancelled || !owner || !live],
  ['PROHIBITED', ({ share, owner }) => share.mark === 'prohibited' || !isUsable(owner) || share.paused],
  ['AUDITING', ({ share }) => share.mark === 'auditing'],
  ['SENSITIVE_RESOURCE', ({ share }) => share.mark === 'sensitive_resource' && !share.markCovered],
  ['SENSITIVE_WORD', ({ share }) => share.mark === 'sensitive_word' && !share.markCovered],
  ['EXPIRED', ({ share, now }) => share.expiresAt !== undefined && share.expiresAt <= now],
  ['MAX_RESTORE_COUNT', reached],
  ['PASS_CODE_EMPTY', ({ entry }) => entry === 'absent' || entry === 'outdated'],
  ['PASS_CODE_ERROR', ({ entry }) => entry === 'wrong'],
  ['SENSITIVE_RESOURCE', ({ share }) => share.mark === 'sensitive_resource', 'open'],
  ['SENSITIVE_WORD', ({ share }) => share.mark === 'sensitive_word', 'open'],
];

/** Decides among all eleven states of a share. */
export function checkShare(sighting: Sighting): Verdict {
  const { share } = sighting;
  if (!share) return { status: 'NOT_FOUND', open: false };
  const seen = { ...sighting, share };
  const found = CHECKS.find(([, applies]) => applies(seen));
  return found ? { status: found[0], open: found[2] === 'open' } : { status: 'OK', open: true };
}

const DAY_MS = 24 * 3600 * 1000;
const DAYS_MOST = 3650;
const RESTORES_MOST = 1_000_000;

function wholeNumber(value: number | string | undefined, field: string, most: number): number {
  const number =
    value === undefined || value === '' ? -1 : /^-?\d+$/.test(String(value)) ? Number(value) : Number.NaN;
  if (number !== -1 && !(Number.isInteger(number) && number >= 1 && number <= most))
    throw new ApiFailure('invalid_argument', { field });
  return number;
}

/** Days as a number or a decimal string; -1 or no value means unlimited. */
export function parseExpiration(
  value: number | string | undefined,
  now: number,
): { expirationDays: number; expiresAt: number | undefined } {
  const expirationDays = wholeNumber(value, 'expiration_days', DAYS_MOST);
  return { expirationDays, expiresAt: expirationDays === -1 ? undefined : now + expirationDays * DAY_MS };
}

export function parseRestoreLimit(value: number | string | undefined): number {
  return wholeNumber(value, 'restore_limit', RESTORES_MOST);
}

const OWN_PASSCODE = new RegExp(`^[A-Za-z0-9]{${LIMITS.passcodeMin},${LIMITS.passcodeMax}}$`);

export function drawPasscode(randomInt: (below: number) => number): string {
  return drawLetters(CLEAR_LETTERS, LIMITS.passcodeMin, randomInt);
}

/** Normalizes a passcode for comparison, ignoring case and the width of characters. */
export function foldPasscode(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

export function parsePasscode(text: string): string {
  const passcode = text.trim();
  if (!OWN_PASSCODE.test(passcode)) throw new ApiFailure('invalid_argument', { field: 'custom_pass_code' });
  return passcode;
}

/** Normalizes a title to one line; rejects one that is too long. */
export function parseTitle(text: string): string {
  const title = oneLine(text);
  if ([...title].length > LIMITS.shareTitleMax) throw new ApiFailure('invalid_argument', { field: 'title' });
  return title;
}

/** Makes a one-line title from the name of a file or folder; too long a name is truncated. */
export function titleFromName(name: string): string {
  return oneLine(name, LIMITS.shareTitleMax);
}

/** Time left, rounded up to whole days and seconds; -1 if unlimited. */
export function timeLeft(expiresAt: number | undefined, now: number): { days: number; seconds: number } {
  if (expiresAt === undefined) return { days: -1, seconds: -1 };
  const left = Math.max(0, expiresAt - now);
  return { days: Math.ceil(left / DAY_MS), seconds: Math.ceil(left / 1000) };
}

/** Remaining restores below the limit; -1 if unlimited. */
export function restoresLeft(share: ShareRow): number {
  return share.restoreLimit < 0 ? -1 : Math.max(0, share.restoreLimit - share.restoreCount);
}
