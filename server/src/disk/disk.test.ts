import { openBlobStore } from '@bowerbird/storage';
import { expect, test } from 'vitest';
import { eachDatabase, faultyStorage, mailServer, openTestApp, PASSWORD } from '../../testing/index.ts';
import { levelOf, nextLevel, type DiskLevel } from './disk.ts';

const MIB = 2 ** 20;

test('the disk level worsens at once and recovers only with a clear margin', () => {
  const limits = { reserve: 100, warnBelow: 1000 };
  const seen: DiskLevel[] = [];
  let level: DiskLevel = 'ok';
  for (const free of [1000, 999, 1001, 1199, 998, 1200, 100, 101, 119, 121, 1100, 50, 5000])
    seen.push((level = nextLevel(level, free, limits)));
  expect(seen).toEqual([
    'ok',
    'low',
    'low',
    'low',
    'low',
    'ok',
    'full',
    'full',
    'full',
    'low',
    'low',
    'full',
    'ok',
  ]);
  expect(levelOf(null, limits)).toBe('ok');
});

eachDatabase((dialect) => {
  test('administrators are notified once, in their language, each time the disk level worsens', async () => {
    const { storage, faults } = faultyStorage(await openBlobStore('memory:'));
    await using server = await mailServer();
    await using app = await openTestApp({
      dialect,
      storage,
      environment: { SMTP_URL: server.url, DISK_WARNING: '100 MB', DISK_RESERVE: '10 MB' },
    });
    await app.accounts.add(
      { email: 'olga@example.org', password: PASSWORD, name: 'Ольга', locale: 'ru' },
      'operator',
    );
    await app.accounts.add({ email: 'member@example.org', password: PASSWORD, name: 'M' }, 'member');
    const look = async (free: number) => {
      faults.freeSpace = free;
      await app.database.transaction((tx) => app.jobs.enqueue(tx, 'watch-disk', null));
      await app.jobs.drain();
      const ready = (await app.http.inject({ url: '/readyz' })).json<{
        status: string;
        warnings?: string[];
      }>();
      return { mails: server.mails.length, ...ready };
    };
    expect(await look(100 * MIB)).toEqual({ mails: 0, status: 'ready' });
    expect(await look(99 * MIB)).toEqual({ mails: 1, status: 'ready', warnings: ['disk_low'] });
    expect(await app.disk.status()).toEqual({
      free: 99 * MIB,
      reserve: 10 * MIB,
      underWay: 0,
      usable: 89 * MIB,
      warnBelow: 100 * MIB,
      level: 'low',
    });
    const mail = server.mails[0]!;
    expect(mail.text).toContain('Ольга');
    expect(mail.text).toContain('осталось 99 МБ');
    expect(mail.text).toContain('10 МБ');
    expect(app.logged.filter((line) => line.includes('running out of space'))).toHaveLength(1);
    // A value near the threshold sends no repeated emails.
    for (const free of [101, 98, 110, 99]) expect(await look(free * MIB)).toMatchObject({ mails: 1 });
    expect(await look(10 * MIB)).toEqual({ mails: 2, status: 'ready', warnings: ['disk_full'] });
    expect(await look(9 * MIB)).toMatchObject({ mails: 2 });
    expect(await look(300 * MIB)).toEqual({ mails: 2, status: 'ready' });
    expect(await look(50 * MIB)).toMatchObject({ mails: 3 });
  });
});
