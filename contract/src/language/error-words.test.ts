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

test('where more can be bought, the message says so', () => {
  const texts: Record<string, string> = {
    'error.file_space_not_enough': 'Full.',
    'error.file_space_not_enough.limit': '{used} of {limit}.',
    'error.file_space_not_enough.more': '{used} of {limit}. Get more.',
    'error.task_daily_create_limit.wait': 'More {when}.',
    'error.task_daily_create_limit.more': 'More {when}, or with a plan.',
  };
  const words = (id: 'task_daily_create_limit' | 'file_space_not_enough', facts: Record<string, string>) =>
    errorWords('en-US', id, facts, (key, values) =>
      texts[key] === undefined ? undefined : formatMessage('en-US', texts[key], values),
    );
  const space = { used_bytes: '1024', limit_bytes: '2048' };
  expect(words('file_space_not_enough', { ...space, more: 'storage' })).toBe('1 KB of 2 KB. Get more.');
  expect(words('file_space_not_enough', space)).toBe('1 KB of 2 KB.');
  expect(words('file_space_not_enough', { more: 'storage' })).toBe('Full.');
  expect(words('task_daily_create_limit', { retry_in: '60', more: 'plan' })).toBe(
    'More in 60 seconds, or with a plan.',
  );
  expect(words('task_daily_create_limit', { retry_in: '60' })).toBe('More in 60 seconds.');
});

test('limits are stated with the number that was reached, in the reader’s language', () => {
  const texts: Record<string, string> = {
    'error.task_daily_create_limit': 'All for today.',
    'error.task_daily_create_limit.wait': 'All {limit} for today. More {when}.',
    'error.file_space_not_enough': 'Full.',
    'error.file_space_not_enough.limit': '{used} of {limit}.',
  };
  const words = (
    locale: string,
    id: 'task_daily_create_limit' | 'file_space_not_enough',
    facts: Record<string, string>,
  ) =>
    errorWords(locale, id, facts, (key, values) =>
      texts[key] === undefined ? undefined : formatMessage(locale, texts[key], values),
    );
  expect(words('en-US', 'task_daily_create_limit', { limit: '2000', retry_in: '7200' })).toBe(
    'All 2,000 for today. More in 2 hours.',
  );
  expect(words('en-US', 'task_daily_create_limit', {})).toBe('All for today.');
  const space = { used_bytes: String(9.5 * 2 ** 30), limit_bytes: String(10 * 2 ** 30) };
  expect(words('en-US', 'file_space_not_enough', space)).toBe('9.5 GB of 10 GB.');
  expect(words('ru', 'file_space_not_enough', space)).toBe('9,5 ГБ of 10 ГБ.');
  expect(words('en-US', 'file_space_not_enough', {})).toBe('Full.');
  const more = { ...texts, 'error.file_space_not_enough.more': '{used} of {limit}. Get more.' };
  expect(
    errorWords('en-US', 'file_space_not_enough', { ...space, more: 'plan' }, (key, values) =>
      more[key as keyof typeof more] === undefined
        ? undefined
        : formatMessage('en-US', more[key as keyof typeof more]!, values),
    ),
  ).toBe('9.5 GB of 10 GB. Get more.');
});
