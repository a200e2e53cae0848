import { LIMITS } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { displayName, emailKey, isEmail, isWeakPassword, maskedEmail, maskedName } from './account.ts';

test('an email address is normalized, however it is typed', () => {
  expect(emailKey(' Ann@Example.ORG ')).toBe('ann@example.org');
  expect(emailKey('Zoe\u0308@example.org')).toBe(emailKey('zo\u00eb@example.org'));
});

test.each([
  'ann@example.org',
  'ann+files@mail.example.org',
  'zoë@例え.jp',
  'demo@bowerbird.local',
  'root@localhost',
])('%s is a valid email address', (email) => expect(isEmail(email)).toBe(true));

test.each([
  '',
  'ann',
  '@example.org',
  'ann@',
  'ann@@example.org',
  'ann@example.org,bob@example.org',
  'Ann <ann@example.org>',
  'ann@example.org\r\nBcc: bob@example.org',
  'ann@exa mple.org',
  'ann@example..org',
  '"ann"@example.org',
  `${'a'.repeat(65)}@example.org`,
  `ann@${'a'.repeat(260)}.org`,
])('%j is not a valid email address', (email) => expect(isEmail(email)).toBe(false));

test.each([
  'short',
  '1234567',
  'password',
  'PASSWORD1',
  'Qwertyuiop',
  'aaaaaaaaaa',
  'abababababab',
  'annabelle',
  'annabelle@example.org',
])('the password %s is rejected', (password) =>
  expect(isWeakPassword(password, 'Annabelle@example.org')).toBe(true),
);

test.each(['a bower of blue things', 'тысяча птиц', '青い鳥は巣に何かを集める', 'x7#kQ2!p'])(
  'the password %s is accepted',
  (password) => expect(isWeakPassword(password, 'ann@example.org')).toBe(false),
);

test('the three thousand most common passwords are rejected in any case', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(3000);
  for (const password of COMMON_PASSWORDS) {
    // Each password is rejected by the list alone: no other rule rejects it.
    expect([...password].length, password).toBeGreaterThanOrEqual(LIMITS.passwordMin);
    expect(new Set(password).size, password).toBeGreaterThanOrEqual(3);
    expect(isWeakPassword(password.toUpperCase(), 'ann@example.org'), password).toBe(true);
  }
});

test('a missing name is derived from the email address, and names are a single short line', () => {
  expect(displayName(undefined, 'ann@example.org')).toBe('ann');
  expect(displayName('  ', 'ann@example.org')).toBe('ann');
  expect(displayName('Ann\r\n\u0000Bee', 'ann@example.org')).toBe('Ann Bee');
  expect([...displayName('🐦'.repeat(200), 'ann@example.org')]).toHaveLength(64);
  expect(displayName('<script>alert(1)</script>', 'a@b')).toBe('<script>alert(1)</script>');
});

test('names and email addresses shown to strangers are masked', () => {
  expect(maskedName('Rylee Ivy')).toBe('Ry**vy');
  expect(maskedName('Annie')).toBe('A**e');
  expect(maskedName('Jo')).toBe('J**');
  expect(maskedName('👩‍👩‍👧‍👦家族')).toBe('👩‍👩‍👧‍👦**');
  expect(maskedEmail('ann@example.org')).toBe('a***@example.org');
  expect(maskedEmail('𝒜nn@example.org')).toBe('𝒜***@example.org');
});

test('passwords built from the product’s name or the email address are rejected, also with a year or a mark appended', () => {
  for (const password of ['bowerbird', 'Bowerbird1!', 'bowerbird2026', '1webdav!', 'annabel1', '!annabel99'])
    expect(isWeakPassword(password, 'annabel@example.org'), password).toBe(true);
  for (const password of ['bowerbird nests in blue', 'annabel keeps bees', 'kf83jd72'])
    expect(isWeakPassword(password, 'annabel@example.org'), password).toBe(false);
});
