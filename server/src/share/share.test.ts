import { SHARE_STATUSES, type ShareStatus } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  checkShare,
  drawPasscode,
  parseExpiration,
  parsePasscode,
  parseRestoreLimit,
  parseTitle,
  restoresLeft,
  timeLeft,
  titleFromName,
  type ShareRow,
  type Sighting,
} from './share.ts';

const now = Date.UTC(2026, 10, 27, 12);
const share: ShareRow = {
  id: 'V1',
  account: 'A',
  title: 'Bower',
  passcode: undefined,
  passcodeVersion: 0,
  expiresAt: undefined,
  expirationDays: -1,
  restoreLimit: -1,
  restoreCount: 0,
  restoreReserved: 0,
  viewCount: 0,
  downloadCount: 0,
  rootCount: 1,
  rootSize: 1,
  mark: 'none',
  markCovered: false,
  paused: false,
  cancelled: false,
  shareTo: 'publiclink',
  createdAt: now,
};
const owner: NonNullable<Sighting['owner']> = {
  id: 'A',
  email: 'ann@example.org',
  phone: '',
  name: 'Ann',
  picture: '',
  passwordHash: undefined,
  role: 'member',
  status: 'active',
  locale: undefined,
  createdAt: now,
  passwordUpdatedAt: undefined,
  newDeviceMail: true,
  planMail: true,
  closesAt: undefined,
};
const sighting: Sighting = { share, owner, live: true, entry: 'free', now };
const seen = (change: Partial<ShareRow>, rest: Partial<Sighting> = {}) =>
  checkShare({ ...sighting, share: { ...share, ...change }, ...rest });

const CASES: readonly (readonly [string, ReturnType<typeof checkShare>, ShareStatus, boolean])[] = [
  ['nothing prevents access', seen({}), 'OK', true],
  ['the passcode is right', seen({ passcode: 'x' }, { entry: 'right' }), 'OK', true],
  ['no share has this id', checkShare({ ...sighting, share: undefined }), 'NOT_FOUND', false],
  ['its owner cancelled it', seen({ cancelled: true }), 'DELETED', false],
  ['its owner’s account was erased', seen({}, { owner: undefined }), 'DELETED', false],
  ['none of its files are left', seen({}, { live: false }), 'DELETED', false],
  ['its owner is frozen', seen({}, { owner: { ...owner, status: 'frozen' } }), 'PROHIBITED', false],
  ['its owner closes the account', seen({}, { owner: { ...owner, closesAt: now + 1 } }), 'PROHIBITED', false],
  ['its owner paused it', seen({ paused: true }), 'PROHIBITED', false],
  ['moderation took it down', seen({ mark: 'prohibited' }), 'PROHIBITED', false],
  ['it is under moderation', seen({ mark: 'auditing' }), 'AUDITING', false],
  ['its files are sensitive', seen({ mark: 'sensitive_resource' }), 'SENSITIVE_RESOURCE', false],
  [
    'its files are sensitive and covered',
    seen({ mark: 'sensitive_resource', markCovered: true }),
    'SENSITIVE_RESOURCE',
    true,
  ],
  ['it contains sensitive words', seen({ mark: 'sensitive_word' }), 'SENSITIVE_WORD', false],
  [
    'it contains sensitive words and is covered',
    seen({ mark: 'sensitive_word', markCovered: true }),
    'SENSITIVE_WORD',
    true,
  ],
  ['it expires in this millisecond', seen({ expiresAt: now }), 'EXPIRED', false],
  ['it expires in one millisecond', seen({ expiresAt: now + 1 }), 'OK', true],
  [
    'it was saved the maximum number of times',
    seen({ restoreLimit: 2, restoreCount: 2 }),
    'MAX_RESTORE_COUNT',
    false,
  ],
  [
    'its limit was lowered below the number of saves',
    seen({ restoreLimit: 1, restoreCount: 2 }),
    'MAX_RESTORE_COUNT',
    false,
  ],
  ['saves are still running', seen({ restoreLimit: 2, restoreCount: 1, restoreReserved: 1 }), 'OK', true],
  ['no passcode was sent', seen({ passcode: 'x' }, { entry: 'absent' }), 'PASS_CODE_EMPTY', false],
  ['the token has expired', seen({ passcode: 'x' }, { entry: 'outdated' }), 'PASS_CODE_EMPTY', false],
  ['the passcode is wrong', seen({ passcode: 'x' }, { entry: 'wrong' }), 'PASS_CODE_ERROR', false],
  [
    'it is covered and locked',
    seen({ mark: 'sensitive_word', markCovered: true }, { entry: 'absent' }),
    'PASS_CODE_EMPTY',
    false,
  ],
  [
    'it is locked and expired',
    seen({ passcode: 'x', expiresAt: now - 1 }, { entry: 'wrong' }),
    'EXPIRED',
    false,
  ],
];

test.each(CASES)('the status of a share is correct if %s', (_, verdict, status, open) => {
  expect(verdict).toEqual({ status, open });
});

test('every status of the protocol is covered by a case here', () => {
  expect(new Set(CASES.map(([, { status }]) => status))).toEqual(new Set(SHARE_STATUSES));
});

test('generated passcodes contain no ambiguous letters', () => {
  const drawn = Array.from({ length: 500 }, () => drawPasscode((below) => Math.floor(Math.random() * below)));
  expect(drawn.every((passcode) => /^[a-hjkmnp-z2-9]{4}$/.test(passcode))).toBe(true);
});

test('custom passcodes are 4 to 10 letters and digits', () => {
  expect(parsePasscode(' Bower42 ')).toBe('Bower42');
  for (const bad of ['abc', 'abcdefghijk', 'pass code', 'päss', "a'--", 'ab\u0000cd', '１２３４'])
    expect(() => parsePasscode(bad)).toThrow('invalid_argument');
});

test('days are accepted as numbers or text, and rejected if they are not whole days', () => {
  expect(parseExpiration('7', now)).toEqual({ expirationDays: 7, expiresAt: now + 7 * 86_400_000 });
  expect(parseExpiration(14, now).expirationDays).toBe(14);
  for (const ever of [-1, '-1', undefined, ''])
    expect(parseExpiration(ever, now)).toEqual({ expirationDays: -1, expiresAt: undefined });
  for (const bad of [0, -2, 1.5, 3651, 'soon', '1e1', '0x10', 'NaN', Infinity])
    expect(() => parseExpiration(bad, now)).toThrow('invalid_argument');
});

test('save limits are whole numbers of at least one', () => {
  expect([parseRestoreLimit('5'), parseRestoreLimit(-1), parseRestoreLimit(undefined)]).toEqual([5, -1, -1]);
  for (const bad of [0, '0', -5, 2.5, 'many'])
    expect(() => parseRestoreLimit(bad)).toThrow('invalid_argument');
});

test('titles are one line; a long name is truncated, a long title rejected', () => {
  expect(parseTitle(' a\r\nb\u2028c ')).toBe('a b c');
  expect([...titleFromName('🐦'.repeat(200))]).toHaveLength(120);
  expect(() => parseTitle('x'.repeat(121))).toThrow('invalid_argument');
});

test('the remaining time is rounded up and never negative', () => {
  expect(timeLeft(now + 1, now)).toEqual({ days: 1, seconds: 1 });
  expect(timeLeft(now - 5, now)).toEqual({ days: 0, seconds: 0 });
  expect(timeLeft(undefined, now)).toEqual({ days: -1, seconds: -1 });
  expect(restoresLeft({ ...share, restoreLimit: 1, restoreCount: 3 })).toBe(0);
});
