import { expect, test } from 'vitest';
import { hostRole } from './host-role.ts';

test('a host’s role follows from its first label', () => {
  const role = (host: string): unknown => hostRole(host, 'https://drive.example.org');
  expect(role('user.example.org')).toBe('user');
  expect(role('API-Drive.example.org:8443')).toBe('drive');
  expect(role('dl-a10.example.org')).toBe('content');
  expect(role('api-dav.example.org')).toBe('dav');
});

test('the site, IP addresses and other names serve everything', () => {
  for (const host of [
    'drive.example.org',
    '127.0.0.1:3000',
    '[::1]:3000',
    'localhost',
    'user',
    '10.0.0.1',
    '',
  ])
    expect(hostRole(host, 'https://drive.example.org')).toBeUndefined();
  expect(hostRole('user.example.org', 'https://user.example.org')).toBeUndefined();
  expect(hostRole('user.example.org', undefined)).toBeUndefined();
});
