import { expect, test } from 'vitest';
import { followSlashRule } from './slash-rule.ts';

function visit(path: string) {
  const response = followSlashRule(new URL(path, 'https://drive.example'));
  return response && `${response.status} ${response.headers.get('location')}`;
}

test('a slash at the end is led to the address without it, and what was asked stays', () => {
  expect(visit('/faq/')).toBe('301 /faq');
  expect(visit('/ru/')).toBe('301 /ru');
  expect(visit('/ru/drive/all/?view=list&order=name')).toBe('301 /ru/drive/all?view=list&order=name');
  expect(visit('/faq///')).toBe('301 /faq');
});

test('an address without one stays as it is, as does the first page', () => {
  for (const path of ['/', '/?a=/', '/faq', '/ru', '/s/abc?path=/']) expect(visit(path)).toBeUndefined();
});

test('a slash is no way to another site', () => {
  expect(followSlashRule({ pathname: '//evil.example/', search: '' })?.headers.get('location')).toBe(
    '/evil.example',
  );
  expect(followSlashRule({ pathname: '//evil.example/faq', search: '' })?.headers.get('location')).toBe(
    '/evil.example/faq',
  );
  expect(followSlashRule({ pathname: '//', search: '?a' })?.headers.get('location')).toBe('/?a');
});
