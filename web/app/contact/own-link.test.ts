import { expect, test } from 'vitest';
import { ownLink } from './own-link.ts';

const ORIGIN = 'https://drive.example';

test('a page of this site is prefilled unchanged', () => {
  expect(ownLink(`${ORIGIN}/s/VAbc?s_code=k7pm`, ORIGIN)).toBe(`${ORIGIN}/s/VAbc?s_code=k7pm`);
});

test.each([
  null,
  '',
  '/s/VAbc',
  'https://evil.example/s/VAbc',
  'https://drive.example.evil.example/',
  'https://drive.example@evil.example/',
  'http://drive.example/',
  'javascript:alert(1)',
  'https://%',
  `${ORIGIN}/${'x'.repeat(500)}`,
])('%s is not prefilled', (asked) => {
  expect(ownLink(asked, ORIGIN)).toBe('');
});
