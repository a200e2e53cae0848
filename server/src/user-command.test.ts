import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eachDatabase, freshPostgres } from '../testing/index.ts';
import { readConfig } from './foundation/index.ts';
import { migrateOnly } from './migrate-command.ts';
import { userCommand } from './user-command.ts';

eachDatabase((dialect) => {
  /** An installation whose commands run in this process; each gives what it said. */
  async function installation() {
    const folder = await mkdtemp(join(tmpdir(), 'bowerbird-user-'));
    const postgres = dialect === 'postgres' ? await freshPostgres() : undefined;
    const config = readConfig({ DATA_DIR: folder, ...(postgres ? { DATABASE_URL: postgres.url } : {}) });
    const saying = async (work: (say: (line: string) => void) => Promise<void>): Promise<string> => {
      const lines: string[] = [];
      await work((line) => lines.push(line));
      return lines.join('\n');
    };
    return {
      user: (...args: string[]) => saying((say) => userCommand(config, args, say)),
      migrate: () => saying((say) => migrateOnly(config, say)),
      async [Symbol.asyncDispose]() {
        await postgres?.drop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  }

  test('members are added, listed, given storage, made operators, frozen and thawed', async () => {
    await using place = await installation();
    expect(await place.user('add', 'ann@example.org', '--name', 'Ann')).toMatch(/Password: \S{16}$/);
    await expect(place.user('add', 'ANN@example.org')).rejects.toMatchObject({ id: 'email_taken' });
    await place.user('storage', 'ann@example.org', '20', 'GB');
    await place.user('operator', 'ann@example.org');
    await place.user('freeze', 'Ann@example.org');
    expect(await place.user('list')).toMatch(
      /^V\w{25} {2}20\d\d-\d\d-\d\d {2}0 B of 20 GB {2}ann@example\.org {2}operator {2}frozen$/,
    );
    await place.user('thaw', 'ann@example.org');
    expect(await place.user('list')).toMatch(/operator$/);
  });

  test('what was typed wrong is said', async () => {
    await using place = await installation();
    await place.user('add', 'ann@example.org', '--password', 'a bower of blue things');
    await expect(place.user('storage', 'bob@example.org', '20 GB')).rejects.toThrow(
      'There is no account of bob@example.org.',
    );
    await expect(place.user('storage', 'ann@example.org', 'much')).rejects.toThrow(
      'The size must be a size such as 10 GB',
    );
    await expect(place.user('add')).rejects.toThrow('Give an e-mail address');
    await expect(place.user('add', 'bob@example.org', '--password', 'weak')).rejects.toMatchObject({
      id: 'password_too_weak',
    });
    await expect(place.user('dance')).rejects.toThrow(
      'user add|list|storage|operator|password|second-factor-off|freeze|thaw',
    );
  });

  test('migrate brings a fresh database up to date, and then finds nothing to do', async () => {
    await using place = await installation();
    expect(await place.migrate()).toContain('Applied: initial');
    expect(await place.migrate()).toBe('The database is up to date.');
  });
});
