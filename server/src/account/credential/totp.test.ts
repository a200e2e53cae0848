import { expect, test } from 'vitest';
import { drawTotpSecret, stepAt, stepOfCode, totpCode, totpUri } from './totp.ts';

/** Secret of the test values in RFC 6238, "12345678901234567890", in base 32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('codes match RFC 6238', () => {
  const codes: Readonly<Record<number, string>> = {
    59: '287082',
    1111111109: '081804',
    1111111111: '050471',
    1234567890: '005924',
    2000000000: '279037',
    20000000000: '353130',
  };
  for (const [seconds, code] of Object.entries(codes))
    expect(totpCode(SECRET, stepAt(Number(seconds) * 1000))).toBe(code);
});

test('a code is accepted one step early or late, once, and never after a later one', () => {
  const now = 1111111111_000;
  const step = stepAt(now);
  for (const drift of [-1, 0, 1])
    expect(stepOfCode(SECRET, totpCode(SECRET, step + drift), now, 0)).toBe(step + drift);
  for (const drift of [-2, 2])
    expect(stepOfCode(SECRET, totpCode(SECRET, step + drift), now, 0)).toBeUndefined();
  expect(stepOfCode(SECRET, totpCode(SECRET, step), now, step)).toBeUndefined();
  expect(stepOfCode(SECRET, totpCode(SECRET, step - 1), now, step)).toBeUndefined();
  expect(stepOfCode(SECRET, '050 471', now, 0)).toBe(step);
  for (const nonsense of ['', '0', '0504711', 'abcdef', '０５０４７１'])
    expect(stepOfCode(SECRET, nonsense, now, 0)).toBeUndefined();
});

test('secrets have 160 random bits', () => {
  const secrets = Array.from({ length: 100 }, () => drawTotpSecret());
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(new Set(secrets).size).toBe(100);
  expect(totpUri(SECRET, 'Blue Bower', 'ann+1@example.org')).toBe(
    `otpauth://totp/Blue%20Bower:ann%2B1%40example.org?secret=${SECRET}&issuer=Blue%20Bower&algorithm=SHA1&digits=6&period=30`,
  );
});
