import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, freshPostgres, PASSWORD, person } from '../../testing/index.ts';
import type { App } from '../app.ts';
import { withApp } from './command.ts';
import { readConfig } from '../foundation/index.ts';
import { migrateOnly } from './migrate-command.ts';
import { userCommand } from './user-command.ts';

eachDatabase((dialect) => {
  /** Installation whose commands run in this process; each returns its output. */
  async function installation(environment: Readonly<Record<string, string>> = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'bowerbird-user-'));
    const postgres = dialect === 'postgres' ? await freshPostgres() : undefined;
    const config = readConfig({
      ...environment,
      DATA_DIR: folder,
      ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    });
    const saying = async (work: (say: (line: string) => void) => Promise<void>): Promise<string> => {
      const lines: string[] = [];
      await work((line) => lines.push(line));
      return lines.join('\n');
    };
    return {
      user: (...args: string[]) => saying((say) => userCommand(config, args, say)),
      run: (work: (app: App) => Promise<void>) => withApp(config, work),
      migrate: () => saying((say) => migrateOnly(config, say)),
      async [Symbol.asyncDispose]() {
        await postgres?.drop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  }

  test('members are added, listed, given storage, made administrators, frozen and unfrozen', async () => {
    await using place = await installation();
    await place.user('add', 'ann@example.org', '--name', 'Ann');
    await expect(place.user('add', 'ANN@example.org')).rejects.toMatchObject({ id: 'email_taken' });
    await place.user('storage', 'ann@example.org', '20', 'GB');
    await place.user('operator', 'ann@example.org');
    await place.user('freeze', 'Ann@example.org');
    expect(await place.user('list')).toMatch(
      /^V\w{25} {2}20\d\d-\d\d-\d\d {2}0 B of 20 GB {2}ann@example\.org {2}operator {2}frozen$/,
    );
    await place.user('review', 'ann@example.org');
    expect(await place.user('list')).toMatch(/operator {2}review$/);
    await place.user('thaw', 'ann@example.org');
    expect(await place.user('list')).toMatch(/operator$/);
  });

  test('waiting members are marked, and approved by email address or id', async () => {
    await using place = await installation({ SIGN_UP: 'approval' });
    for (const name of ['ann', 'bob'])
      await place.run(async ({ http }) => {
        const body = { email: `${name}@example.org`, password: PASSWORD };
        await expect(person(http).call(accountApi.signUp, { body })).rejects.toMatchObject({ code: 4012 });
      });
    const list = await place.user('list');
    expect(list).toMatch(/ann@example\.org {2}waiting$/m);
    expect(await place.user('admit', 'ann@example.org')).toBe('ann@example.org can now sign in.');
    const [id = ''] = list
      .split('\n')
      .find((line) => line.includes('bob'))!
      .split(' ');
    expect(await place.user('admit', id)).toBe('bob@example.org can now sign in.');
    expect(await place.user('list')).not.toContain('waiting');
    await expect(place.user('admit', id)).rejects.toThrow('bob@example.org isn’t waiting for approval.');
  });

  test('members are deleted after some days, restored, or deleted at once; the last administrator is not deleted', async () => {
    await using place = await installation();
    const password = ['--password', 'a bower of blue things'];
    await place.user('add', 'ann@example.org', ...password, '--operator');
    await place.user('add', 'bob@example.org', ...password);
    expect(await place.user('delete', 'bob@example.org')).toMatch(
      /^bob@example\.org is closed and will be deleted on 20\d\d-\d\d-\d\d\./,
    );
    expect(await place.user('list')).toMatch(/bob@example\.org {2}to be deleted on 20\d\d-\d\d-\d\d$/m);
    await place.user('keep', 'bob@example.org');
    await expect(place.user('keep', 'bob@example.org')).rejects.toThrow('isn’t scheduled for deletion');
    await place.user('delete', 'bob@example.org', '--now');
    expect(await place.user('list')).not.toContain('bob@');
    await expect(place.user('delete', 'ann@example.org', '--now')).rejects.toMatchObject({
      id: 'last_operator',
    });
  });

  test('a member added without a password sets one with a link that works once', async () => {
    await using place = await installation();
    const said = await place.user('add', 'ann@example.org');
    const { href, searchParams } = new URL(said.split('\n').at(-1)!);
    expect(href).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=/);
    await place.run(async ({ http }) => {
      const set = (password: string) =>
        person(http).call(accountApi.resetPassword, {
          body: { verification_token: searchParams.get('token')!, new_password: password },
        });
      const signIn = () =>
        person(http).call(accountApi.signIn, { body: { username: 'ann@example.org', password: PASSWORD } });
      await expect(signIn()).rejects.toMatchObject({ id: 'invalid_account_or_password' });
      await set(PASSWORD);
      await signIn();
      await expect(set('another bower of things')).rejects.toMatchObject({ id: 'verification_code_expired' });
    });
  });

  test('invalid arguments are explained', async () => {
    await using place = await installation();
    await place.user('add', 'ann@example.org', '--password', 'a bower of blue things');
    await expect(place.user('storage', 'bob@example.org', '20 GB')).rejects.toThrow(
      'There’s no account for bob@example.org.',
    );
    await expect(place.user('storage', 'ann@example.org', 'much')).rejects.toThrow(
      'The size must be a size such as 10 GB',
    );
    await expect(place.user('add')).rejects.toThrow('Add an email address');
    await expect(place.user('add', 'bob@example.org', '--password', 'weak')).rejects.toMatchObject({
      id: 'password_too_weak',
    });
    await expect(place.user('dance')).rejects.toThrow(
      'user add|list|storage|plan|plan-off|operator|password|second-factor-off|admit|freeze|review|thaw|delete|keep',
    );
  });

  test('plan gives a member a plan for a time, and plan-off ends it', async () => {
    await using place = await installation();
    await place.user('add', 'ann@example.org', '--password', 'a bower of blue things');
    const day = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10);
    expect(await place.user('plan', 'ann@example.org', 'vip', '30')).toBe(
      `ann@example.org now has the plan vip until ${day(30)}.`,
    );
    expect(await place.user('plan', 'ann@example.org', 'vip', '5')).toContain(day(35));
    expect(await place.user('list')).toContain('of 2 TB');
    expect(await place.user('plan-off', 'ann@example.org')).toBe('ann@example.org now has the free plan.');
    expect(await place.user('list')).toContain('of 10 GB');
    await expect(place.user('plan-off', 'ann@example.org')).rejects.toThrow('has the free plan');
    expect(await place.user('plan', 'ann@example.org', 'vip')).toContain('vip without an end');
    await expect(place.user('plan', 'ann@example.org', 'gold')).rejects.toThrow('It’s one of: vip.');
    await expect(place.user('plan', 'ann@example.org', 'free')).rejects.toThrow('It’s one of: vip.');
    await expect(place.user('plan', 'ann@example.org', 'vip', '0')).rejects.toThrow('whole number from 1');
  });

  test('migrate updates a new database, and then finds nothing to do', async () => {
    await using place = await installation();
    expect(await place.migrate()).toContain('Applied: initial');
    expect(await place.migrate()).toBe('The database is up to date.');
  });
});
