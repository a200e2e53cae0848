import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { siteApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { openTestApp, visitorAt } from '../../testing/index.ts';
import { createAreaCheck } from './area.ts';
import { readSiteDocuments } from './site-document.ts';

test('the service is available everywhere except where the administrator excluded it', () => {
  const isOffered = createAreaCheck({ countries: ['DE'], networks: ['192.0.2.0/24', '2001:db8::/32'] });
  expect(isOffered({ address: '198.51.100.7', country: '' })).toBe(true);
  expect(isOffered({ address: '198.51.100.7', country: 'FR' })).toBe(true);
  expect(isOffered({ address: '198.51.100.7', country: 'DE' })).toBe(false);
  expect(isOffered({ address: '192.0.2.9', country: 'FR' })).toBe(false);
  expect(isOffered({ address: '::ffff:192.0.2.9', country: '' })).toBe(false);
  expect(isOffered({ address: '2001:db8::1', country: '' })).toBe(false);
  expect(isOffered({ address: 'nonsense', country: '' })).toBe(true);
});

test('the country is taken from a trusted proxy only', async () => {
  await using app = await openTestApp({
    environment: { TRUSTED_PROXIES: '10.0.0.1', COUNTRY_HEADER: 'CF-IPCountry', BLOCKED_COUNTRIES: 'de' },
  });
  const from = (address: string, country: string) =>
    visitorAt(app, address, { 'cf-ipcountry': country, 'x-forwarded-for': '198.51.100.7' });
  expect(await from('10.0.0.1', 'de').call(siteApi.areaCountry, {})).toEqual({
    result: 'ACCEPTED',
    data: { countryCode: 'DE', ip: '198.51.100.7' },
  });
  expect(await from('10.0.0.1', 'de').call(siteApi.areaAccessible, {})).toEqual({ accessible: false });
  expect(await from('10.0.0.1', 'XX').call(siteApi.areaCountry, {})).toMatchObject({
    data: { countryCode: '' },
  });
  expect(await from('203.0.113.5', 'de').call(siteApi.areaCountry, {})).toEqual({
    result: 'ACCEPTED',
    data: { countryCode: '', ip: '203.0.113.5' },
  });
  expect(await from('203.0.113.5', 'de').call(siteApi.areaAccessible, {})).toEqual({ accessible: true });
});

test('clients get the documents that the administrator wrote, and empty ones otherwise', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-documents-'));
  const file = join(folder, 'site.json');
  const downloads = [{ platform: 'windows', version: '1.2', url: 'https://example.org/setup.exe' }];
  await writeFile(file, JSON.stringify({ basic: { motto: 'blue' }, downloads }));
  try {
    await using app = await openTestApp({ environment: { SITE_DOCUMENTS: file } });
    const body = { client: 'web', data: { language: 'en' } };
    expect(await app.visitor.call(siteApi.basic, { body })).toEqual({ values: { motto: 'blue' } });
    expect(await app.visitor.call(siteApi.resources, { body })).toEqual({ values: {} });
    expect(await app.visitor.call(siteApi.publicDownloads, {})).toEqual({ downloads });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an error in the administrator’s file is reported at the start', async () => {
  expect(() => readSiteDocuments('{')).toThrow('not valid JSON');
  expect(() => readSiteDocuments('[]')).toThrow('JSON object');
  expect(() => readSiteDocuments('{"bassic":{}}')).toThrow('bassic');
  expect(() => readSiteDocuments('{"downloads":[{"platform":"x","url":"javascript:1"}]}')).toThrow('url');
  await expect(openTestApp({ environment: { SITE_DOCUMENTS: '/nowhere/site.json' } })).rejects.toThrow(
    'SITE_DOCUMENTS',
  );
});

test('each host serves its endpoints, and the site serves all', async () => {
  await using app = await openTestApp();
  const ask = async (host: string, url: string): Promise<number> =>
    (await app.http.inject({ url, headers: { host } })).statusCode;
  const offered = '/access_controller/v1/area_accessible';
  expect(await ask('access.drive.test', offered)).toBe(200);
  expect(await ask('drive.test', offered)).toBe(200);
  expect(await ask('127.0.0.1:3000', offered)).toBe(200);
  expect(await ask('user.drive.test', offered)).toBe(404);
  expect(await ask('dl-a.drive.test', '/drive/v1/about')).toBe(404);
  expect(await ask('api-drive.drive.test', '/drive/v1/about')).toBe(401);
});

test('blank number and choice fields count as absent', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const payload = {
    kind: 'drive#folder',
    name: 'nest',
    size: '',
    conflict: '',
    upload_type: '',
    parent_id: null,
  };
  const reply = await ann.inject({ method: 'POST', url: '/drive/v1/files', payload });
  expect(reply.statusCode).toBe(200);
});

test('errors in the administrator’s documents are reported at the start, with their location', () => {
  const wrong: [object, string][] = [
    [
      { resources: { categories: [{ title: 'Music', links: [{ title: 'X', url: 'ftp://x' }] }] } },
      'categories[0].links[0].url',
    ],
    [{ resources: { categories: [{ title: { fr: 'Musique' } }] } }, 'categories[0].title'],
    [{ activity_operation: { activities: [{ name: 'easter' }] } }, 'activities[0].name'],
    [
      {
        activity_operation: { activities: [{ name: 'christmas', begins: '2026-12-24', ends: '2026-12-01' }] },
      },
      'ends before',
    ],
    [{ basic: { telegram_bot: 'https://evil.example' } }, 'telegram_bot'],
  ];
  for (const [document, where] of wrong)
    expect(() => readSiteDocuments(JSON.stringify(document))).toThrow(where);
  const activity = {
    name: 'christmas',
    begins: '2026-12-01',
    ends: '2026-12-27',
    title: 'T',
    lead: 'L',
    text: 'M',
  };
  for (const url of ['//evil.example', String.raw`/\evil.example`, 'javascript:alert(1)'])
    expect(() =>
      readSiteDocuments(
        JSON.stringify({
          activity_operation: { activities: [{ ...activity, action: { label: 'Go', url } }] },
        }),
      ),
    ).toThrow('action.url');
  readSiteDocuments(
    JSON.stringify({ activity_operation: { activities: [activity] }, basic: { telegram_bot: '@our_bot' } }),
  );
});
