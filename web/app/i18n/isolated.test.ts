import { expect, test } from 'vitest';
import { isolated } from './isolated.ts';
import { createT } from './t.ts';

const OPEN = '\u2068';
const CLOSE = '\u2069';

test('texts without a direction of their own are unchanged', () => {
  for (const text of ['Photos', 'отчёт.pdf', '写真 2.jpg', '👩‍👩‍👧.png', '']) expect(isolated(text)).toBe(text);
});

test('a direction ends with the name, whatever the name contains', () => {
  expect(isolated('\u202egpj.exe')).toBe(`${OPEN}\u202egpj.exe${CLOSE}`);
  expect(isolated('אגרת.txt')).toBe(`${OPEN}אגרת.txt${CLOSE}`);
  // It can't close the isolation.
  expect(isolated('\u2069\u202eb')).toBe(`${OPEN}\u202eb${CLOSE}`);
  expect(isolated('\u2067a')).toBe(`${OPEN}a${CLOSE}`);
});

test('names in messages are isolated', () => {
  const t = createT('en-US', { 'drive.undone': 'Undone: {what}' } as never);
  const text = `Undone: ${OPEN}\u202egpj.exe${CLOSE}`;
  expect(t('drive.undone', { what: '\u202egpj.exe' })).toBe(text);
  expect(t.find('drive.undone', { what: '\u202egpj.exe' })).toBe(text);
});
