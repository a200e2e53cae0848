import { expect, test } from 'vitest';
import { listener, type Surroundings } from './parent-frame.ts';

const OWN = 'https://drive.test';
const PORTAL = 'https://portal.test';
const around = (change: Partial<Surroundings>): Surroundings => ({
  isFramed: true,
  named: PORTAL,
  own: OWN,
  allowed: [PORTAL, 'https://other.test'],
  around: PORTAL,
  ...change,
});

test('the parent page gets messages only if it is named in the address and allowed', () => {
  expect(listener(around({}))).toBe(PORTAL);
  expect(listener(around({ named: OWN, around: OWN, allowed: [] }))).toBe(OWN);
  // Not every browser reveals the embedding origin; the message is then delivered only to the named one.
  expect(listener(around({ around: undefined }))).toBe(PORTAL);
});

test.each<[string, Partial<Surroundings>]>([
  ['a page that stands alone', { isFramed: false }],
  ['an address that names nobody', { named: undefined }],
  ['an origin that is not allowed', { named: 'https://evil.test', around: 'https://evil.test' }],
  ['an allowed origin that is not around', { named: 'https://other.test' }],
  ['a part of an allowed origin', { named: 'https://portal.te', around: undefined }],
])('nobody hears %s', (_, change) => {
  expect(listener(around(change))).toBeUndefined();
});
