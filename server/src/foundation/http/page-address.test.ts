import { expect, test } from 'vitest';
import { pageLocale } from '@bowerbird/contract';
import { askedAddress, pageAddress } from './page-address.ts';

const page = (path: string): string => pageAddress(new URL(path, 'https://drive.example')).pathname;

test('a request’s address stays on this site, whatever its path begins with', () => {
  const asked = (target: string): string => askedAddress(target, 'https://drive.example').href;
  expect(asked('/faq?a=1')).toBe('https://drive.example/faq?a=1');
  expect(asked('//evil.example/faq')).toBe('https://drive.example//evil.example/faq');
  expect(asked('/\\evil.example/')).toBe('https://drive.example//evil.example/');
});

test('a data request has the address of its page', () => {
  expect(page('/ru.data?_routes=site%2Fhome')).toBe('/ru');
  expect(page('/ru/faq.data')).toBe('/ru/faq');
  expect(page('/s/V0abc.data')).toBe('/s/V0abc');
  expect(page('/_.data')).toBe('/');
  expect(page('/ru/_.data')).toBe('/ru/');
  expect(page('/ru/faq')).toBe('/ru/faq');
  expect(page('/ru.database')).toBe('/ru.database');
});

test('the data of a home page is in the language of its address, whatever the reader has chosen', () => {
  const at = (path: string) => pageLocale(pageAddress(new URL(path, 'https://drive.example')), 'ja', 'ko');
  expect(at('/ru.data')).toBe('ru');
  expect(at('/_.data')).toBe('ja');
  expect(at('/_.data?locale=es')).toBe('es');
});
