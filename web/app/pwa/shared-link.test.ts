import { expect, test } from 'vitest';
import { sharedLink } from './shared-link.ts';

const NOTHING = { url: '', text: '', title: '' };

test('a link is found where the app put it: as such, in the text, in the title', () => {
  expect(sharedLink({ ...NOTHING, url: 'https://a.test/film.mkv' })).toBe('https://a.test/film.mkv');
  expect(sharedLink({ ...NOTHING, text: 'Look at this: https://a.test/s/1 (great)' })).toBe(
    'https://a.test/s/1',
  );
  expect(sharedLink({ ...NOTHING, title: 'magnet:?xt=urn:btih:abc&dn=x' })).toBe(
    'magnet:?xt=urn:btih:abc&dn=x',
  );
});

test('the address itself goes before one that is only mentioned', () => {
  expect(sharedLink({ url: 'https://a.test/', text: 'from https://b.test/', title: '' })).toBe(
    'https://a.test/',
  );
});

test('words without a link, and scripts, are none', () => {
  expect(sharedLink({ ...NOTHING, text: 'only words' })).toBeUndefined();
  expect(sharedLink({ ...NOTHING, url: 'javascript:alert(1)' })).toBeUndefined();
});
