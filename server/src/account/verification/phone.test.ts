import { expect, test } from 'vitest';
import { maskedPhone, readPhone } from './phone.ts';

test('a phone number is normalized, however it is typed', () => {
  for (const typed of ['+49 170 1234567', '+49 (170) 123-4567', '0049 170 1234567', ' +４９1701234567 '])
    expect(readPhone(typed)).toEqual({ number: '+491701234567', country: 'DE' });
  expect(readPhone('0170 1234567', 'DE')).toEqual({ number: '+491701234567', country: 'DE' });
});

test('countries that share a calling code are told apart', () => {
  expect(readPhone('+1 876 555 0123')?.country).toBe('JM');
  expect(readPhone('+1 415 555 0123')?.country).toBe('US');
  expect(readPhone('+7 701 234 5678')?.country).toBe('KZ');
});

test('malformed phone numbers are rejected', () => {
  for (const typed of [
    '',
    '0170 1234567',
    '+49',
    '+49170',
    '12345',
    'VNOBODYNOBODYNOBODYNOBODYN',
    'ann@example.org',
    '+491701234567;ext=1',
    '+491701234567\n+18765550123',
    `+${'9'.repeat(40)}`,
  ])
    expect(readPhone(typed), typed).toBeUndefined();
});

test('lists and logs mask phone numbers', () => {
  expect(maskedPhone('+491701234567')).toBe('+49*******567');
  expect(maskedPhone('')).toBe('');
});
