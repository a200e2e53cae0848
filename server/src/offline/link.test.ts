import type { FetchSpec } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { cleanHeaders, keyOf, provisionalName, shownLink } from './link.ts';

const web = (url: string, headers?: Record<string, string>): FetchSpec => ({
  kind: 'web',
  url,
  ...(headers ? { headers } : {}),
});
const URL_OF_IT = 'https://files.example.org/a.zip';

test('a web address is one source for all members; with custom headers it is a source of its member alone', () => {
  expect(keyOf(web(URL_OF_IT), 'ann')).toBe(keyOf(web(URL_OF_IT), 'bob'));
  const [cookie, other] = [{ cookie: 'a=1' }, { cookie: 'a=2' }];
  expect(keyOf(web(URL_OF_IT, cookie), 'ann')).not.toBe(keyOf(web(URL_OF_IT, cookie), 'bob'));
  expect(keyOf(web(URL_OF_IT, cookie), 'ann')).not.toBe(keyOf(web(URL_OF_IT, other), 'ann'));
  expect(keyOf(web(URL_OF_IT, cookie), 'ann')).not.toBe(keyOf(web(URL_OF_IT), 'ann'));
  const [one, two] = [
    { accept: '*/*', referer: 'https://example.org' },
    { referer: 'https://example.org', accept: '*/*' },
  ];
  expect(keyOf(web(URL_OF_IT, one), 'ann')).toBe(keyOf(web(URL_OF_IT, two), 'ann'));
});

test('a torrent is one source for all members, whatever else its link contains', () => {
  const torrent = (magnet: string): FetchSpec => ({ kind: 'torrent', infoHash: 'ab'.repeat(20), magnet });
  expect(keyOf(torrent('magnet:?dn=a'), 'ann')).toBe(keyOf(torrent('magnet:?dn=b'), 'bob'));
});

test('a link is shown without its username and password', () => {
  expect(shownLink(web('https://ann:secret@files.example.org/a.zip?x=1'))).toBe(
    'https://files.example.org/a.zip?x=1',
  );
  expect(shownLink(web('https://:secret@files.example.org/'))).toBe('https://files.example.org/');
});

test('a source whose name is not known yet is named after the last part of its address', () => {
  expect(provisionalName(web('https://example.org/things/blue%20feather.bin'))).toBe('blue feather.bin');
  expect(provisionalName(web('https://example.org/things/'))).toBe('things');
  expect(provisionalName(web('https://example.org/'))).toBe('example.org');
  expect(provisionalName(web('https://example.org/%E4'))).toBe('%E4');
});

test('headers that could affect the connection are removed, and none contains a line break', () => {
  const kept = cleanHeaders({
    Cookie: ' a=1 ',
    'User-Agent': 'me',
    Host: 'evil.example',
    Range: 'bytes=0-',
    'Content-Length': '5',
    Referer: 'https://example.org\r\nX-Evil: 1',
    Accept: '',
  });
  expect(kept).toEqual({ cookie: 'a=1', 'user-agent': 'me' });
});
