import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { PASSWORD, person, signIn, type Member } from '../../testing/index.ts';
import { readConfig } from '../foundation/index.ts';
import { codeCommand } from './code-command.ts';
import { withApp } from './command.ts';
import { userCommand } from './user-command.ts';

/** Installation whose commands run in this process; each returns its lines. */
async function installation() {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-code-'));
  let config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' });
  const saying = async (command: typeof codeCommand, args: string[]): Promise<string[]> => {
    const lines: string[] = [];
    await command(config, args, (line) => lines.push(line));
    return lines;
  };
  return {
    code: (...args: string[]) => saying(codeCommand, args),
    async redeem(code: string): Promise<string> {
      await saying(userCommand, ['add', 'ann@example.org', '--password', PASSWORD]).catch(() => []);
      let id = '';
      await withApp(config, async ({ http }) => {
        const ann = await signIn(http, { email: 'ann@example.org', password: PASSWORD } as Member);
        id = ann.id;
        await person(http, ann.headers).call(codeApi.redeem, { body: { activation_code: code } });
      });
      return id;
    },
    async setPlans(plans: object[]) {
      const documents = join(folder, 'site.json');
      await writeFile(documents, JSON.stringify({ external_products: { plans } }));
      config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error', SITE_DOCUMENTS: documents });
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const batchIn = (lines: readonly string[]): string => /export (\w+)$/.exec(lines.at(-1)!)![1]!;

test('codes are created, exported as CSV with who redeemed them, listed and ended', async () => {
  await using place = await installation();
  const created = await place.code('create', '3', '--plan', 'vip', '--days', '30', '--note', 'Spring fair');
  expect(created[0]).toBe('Created: 3 codes for vip, 30 days, 1 use each');
  const id = batchIn(created);
  const [head, ...rows] = await place.code('export', id);
  expect(head).toBe('code,redeemed,uses,accounts');
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3},0,1,$/);

  const code = rows[1]!.split(',')[0]!;
  const account = await place.redeem(code);
  expect((await place.code('export', id))[2]).toBe(`${code},1,1,${account}`);
  expect(await place.code('list')).toEqual([
    expect.stringMatching(
      new RegExp(
        `^${id}  20\\d\\d-\\d\\d-\\d\\d  3 codes for vip, 30 days, 1 use each  1 redeemed  Spring fair$`,
      ),
    ),
  ]);
  expect(await place.code('end', id)).toEqual([
    `The codes of batch ${id} can’t be redeemed any more. What they granted stays.`,
  ]);
  await expect(place.code('end', id)).rejects.toThrow('has already ended');
  expect((await place.code('list'))[0]).toMatch(/1 redeemed {2}ended {2}Spring fair$/);
});

test('a batch of storage has a start, an end and an audience', async () => {
  await using place = await installation();
  const [said] = await place.code(
    ...['create', '1', '--storage', '5 GB', '--days', '1', '--uses', '20', '--for', 'new-accounts'],
    ...['--start', '2090-01-01', '--end', '2090-02-01T18:00+02:00'],
  );
  expect(said).toBe(
    'Created: 1 code for 5 GB, 1 day, 20 uses each, for new-accounts, from 2090-01-01, until 2090-02-01T16:00Z',
  );
});

test('a list says which codes grant a plan that doesn’t exist any more', async () => {
  await using place = await installation();
  await place.setPlans([{ id: 'team', storage: '1 TB' }]);
  await place.code('create', '1', '--plan', 'team', '--days', '30');
  await place.setPlans([]);
  expect((await place.code('list'))[0]).toMatch(/0 redeemed {2}the plan doesn’t exist$/);
});

test.each([
  [['create'], 'How many codes?'],
  [['create', '3', '--days', '30'], 'What do the codes grant?'],
  [['create', '3', '--plan', 'vip', '--storage', '1 GB', '--days', '30'], 'What do the codes grant?'],
  [['create', '3', '--plan', 'vip'], 'For how many days?'],
  [['create', '3', '--plan', 'gold', '--days', '30'], 'Which plan? It’s one of: vip.'],
  [['create', '3', '--plan', 'free', '--days', '30'], 'Which plan? It’s one of: vip.'],
  [['create', '3', '--storage', 'much', '--days', '30'], 'The size must be a size such as 10 GB'],
  [['create', '3', '--storage', '0 GB', '--days', '30'], 'The size must be at least 1 B.'],
  [
    ['create', '0', '--plan', 'vip', '--days', '30'],
    'The number of codes must be a whole number from 1 to 100000.',
  ],
  [['create', '3', '--plan', 'vip', '--days', '1.5'], 'The days must be a whole number from 1 to 36500.'],
  [
    ['create', '3', '--plan', 'vip', '--days', '3', '--uses', 'x'],
    'The uses must be a whole number from 1 to 1000000.',
  ],
  [['create', '3', '--plan', 'vip', '--days', '3', '--for', 'us'], 'Who can redeem the codes?'],
  [['create', '3', '--plan', 'vip', '--days', '3', '--end', 'soon'], 'soon isn’t a date such as 2026-12-24'],
  [['create', '3', '--plan', 'vip', '--days', '3', '--end', '2020-01-01'], 'The end must be after the start'],
  [['export'], 'Which batch?'],
  [['end', 'V123'], 'There’s no batch V123.'],
  [['burn'], 'Usage: code create|list|export|end'],
])('%j is refused with an explanation', async (args, explanation) => {
  await using place = await installation();
  await expect(place.code(...args)).rejects.toThrow(explanation);
  expect(await place.code('list')).toEqual([]);
});
