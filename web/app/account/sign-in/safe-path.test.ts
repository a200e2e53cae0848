import { expect, test } from 'vitest';
import { safePath } from './safe-path.ts';

test.each([
  '/',
  '/drive/all',
  '/ru/s/abc?s_code=1#x',
  '/a%2F%2Fb',
  '/drive/all?continue=https://evil.example',
])('%s is a path on this site', (path) => {
  expect(safePath(path, '/no')).toBe(path);
});

test.each([
  undefined,
  null,
  '',
  'drive',
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  String.raw`/\evil.example`,
  String.raw`\/evil.example`,
  '/\t/evil.example',
  '/\n//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  'javascript:alert(1)',
  '/\t\\evil.example',
])('%j does not lead to another site', (path) => {
  expect(safePath(path, '/no')).toBe('/no');
});
