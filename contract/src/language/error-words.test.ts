import { expect, test } from 'vitest';
import { errorWords } from './error-words.ts';
import { formatMessage, type MessageValues } from './messages.ts';

const MESSAGES: Record<string, string> = {
  'error.account_locked': 'Locked. Try again later.',
  'error.account_locked.wait': 'Locked. Try again {when}.',
  'error.not_found': 'This no longer exists.',
};
const find = (key: string, values: MessageValues): string | undefined =>
  MESSAGES[key] === undefined ? undefined : formatMessage('en-US', MESSAGES[key], values);
const locked = (seconds: string): string | undefined =>
  errorWords('en-US', 'account_locked', { retry_in: seconds }, find);

test('errors that ask the user to wait state how long, and never too short a time', () => {
  expect(locked('1')).toBe('Locked. Try again in 1 second.');
  expect(locked('119')).toBe('Locked. Try again in 119 seconds.');
  expect(locked('121')).toBe('Locked. Try again in 3 minutes.');
  expect(locked('900')).toBe('Locked. Try again in 15 minutes.');
  expect(locked('86400')).toBe('Locked. Try again in 24 hours.');
  expect(locked('172801')).toBe('Locked. Try again in 3 days.');
});

test('errors whose wait is unknown, and those that waiting does not fix, have the general text of their kind', () => {
  for (const unknown of ['', '0', 'soon']) expect(locked(unknown)).toBe('Locked. Try again later.');
  expect(errorWords('en-US', 'not_found', { retry_in: '60' }, find)).toBe('This no longer exists.');
  expect(errorWords('en-US', 'internal', {}, find)).toBeUndefined();
});
