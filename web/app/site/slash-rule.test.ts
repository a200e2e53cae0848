import { expect, test } from 'vitest';
import { followSlashRule } from './slash-rule.ts';

function visit(path: string) {
  const response = followSlashRule(new URL(path, 'https://drive.example'));
  return response && `${response.status} ${response.headers.get('location')}`;
}

test('an address with a trailing slash redirects to the one without it, with its query', () => {
  expect(visit('/faq/')).toBe('301 /faq');
  expect(visit('/ru/')).toBe('301 /ru');
  expect(visit('/ru/drive/all/?view=list&order=name')).toBe('301 /ru/drive/all?view=list&order=name');
  expect(visit('/faq///')).toBe('301 /faq');
});

test('an address without a trailing slash stays unchanged, as does the first page', () => {
  for (const path of ['/', '/?a=/', '/faq', '/ru', '/s/abc?path=/']) expect(visit(path)).toBeUndefined();
});

test('the redirect never leads to another site', () => {
  expect(followSlashRule({ pathname: '//evil.example/', search: '' })?.headers.get('location')).toBe(
    '/evil.example',
  );
  expect(followSlashRule({ pathname: '//evil.example/faq', search: '' })?.headers.get('location')).toBe(
    '/evil.example/faq',
  );
  expect(followSlashRule({ pathname: '//', search: '?a' })?.headers.get('location')).toBe('/?a');
});
