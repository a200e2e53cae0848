import { membershipApi, shareApi, siteApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  LOOPBACK_ALLOWED,
  openTestApp,
  ownPostgres,
  shareOfAnn,
  shareStatus,
  sqliteLock,
  visitorAt,
  type TestApp,
} from '../testing/index.ts';

/** Counts an event of each kind, none of which can be written before the database is back. */
async function throughOutage(app: TestApp, away: () => unknown, back: () => unknown): Promise<void> {
  const { ann, ids, shareId } = await shareOfAnn(app, { pass_code_option: 'NOT_REQUIRED' });
  const [visitor, other] = [
    visitorAt(app, '203.0.113.5', { 'x-device-id': 'one' }),
    visitorAt(app, '203.0.113.6', { 'x-device-id': 'two' }),
  ];
  const { file_info: file } = await visitor.call(shareApi.fileInfo, {
    query: { share_id: shareId, file_id: ids['list.txt']! },
  });
  for (const who of [visitor, other]) await shareStatus(who, shareId);
  const { pathname, search } = new URL(file!.web_content_link);
  const reply = await visitor.inject({ url: pathname + search });
  expect(reply.body).toBe('blue things');
  await visitor.call(siteApi.happened, { body: { happenings: [{ name: 'block_page_shown' }] } });
  await away();
  const failed = (what: string) => app.logged.filter((line) => line.includes(what)).length;
  for (const what of ['share visit', 'traffic', 'page event'])
    await expect.poll(() => failed(`could not write ${what} counts`), { timeout: 60_000 }).toBeGreaterThan(0);
  await back();

  await expect
    .poll(
      async () => {
        const { data } = await ann.call(shareApi.listOwn, { query: {} });
        return data[0]?.view_count;
      },
      { timeout: 180_000 },
    )
    .toBe('2');
  expect(await app.statistics.of(1)).toMatchObject([{ name: 'block_page_shown', count: 1 }]);
  const { transfer } = await ann.call(membershipApi.quantities, {
    query: { type: 'transfer', limit: '200' },
  });
  expect(transfer.download.assets).toBe('blue things'.length);
}

test(
  'counts that arrive while SQLite is locked are written once it is unlocked',
  { timeout: 180_000 },
  async () => {
    await using app = await openTestApp({ environment: LOOPBACK_ALLOWED });
    using lock = sqliteLock(app.config);
    await throughOutage(app, lock.take, lock.release);
  },
);

test(
  'counts that arrive while PostgreSQL is down are written once it is back',
  { timeout: 180_000 },
  async () => {
    await using postgres = await ownPostgres();
    await using app = await openTestApp({ environment: { DATABASE_URL: postgres.url } });
    await throughOutage(
      app,
      () => postgres.crash(),
      () => postgres.start(),
    );
  },
);
