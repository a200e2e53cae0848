import { DatabaseSync } from 'node:sqlite';
import { driveApi, ledgerApi, shareApi, type FieldsOf, type LedgerItem } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import {
  eachDatabase,
  grantBenefit,
  openTestApp,
  signIn,
  turnableClock,
  upload,
  type Member,
  type TestApp,
} from '../../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const MB = 2 ** 20;
const START = Date.UTC(2026, 1, 27, 12);
const PLANS = {
  external_products: {
    grace_days: 3,
    plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: '会員' }, storage: '50 MB' }],
  },
};

type Query = FieldsOf<typeof ledgerApi.entries>['query'];
const entries = (member: Member, query: Query = {}) => member.call(ledgerApi.entries, { query });
const exported = (member: Member, query: string) =>
  member.inject({ method: 'GET', url: `/vip/v1/ledger/export?${query}` });
const brief = ({ cause, amount, file }: LedgerItem) => [cause, Number(amount), file?.name ?? ''];

async function addFolder(member: Member, name: string): Promise<string> {
  const { file } = await member.call(driveApi.create, {
    body: { kind: 'drive#folder', name, parent_id: '' },
  });
  return file!.id;
}

eachDatabase((dialect) => {
  const open = (more: Parameters<typeof openTestApp>[0] = {}) =>
    openTestApp({ dialect, documents: PLANS, ...more, environment: { MEMBER_STORAGE: '10 MB' } });

  test('the limit consists of parts with a cause, a beginning and an end', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    let ann = await app.signUp('ann');
    const limit = (locale = 'en-US') => ann.call(ledgerApi.limit, {}, { 'accept-language': locale });
    expect(await limit()).toEqual({
      limit: String(10 * MB),
      used: '0',
      reserved: '0',
      parts: [
        {
          id: 'base',
          kind: 'base',
          cause: 'plan',
          plan: null,
          bytes: String(10 * MB),
          since: '2026-02-27T12:00:00.000+00:00',
          until: '',
          grace_until: '',
          ended: false,
          benefits: [],
        },
      ],
    });

    clock.advance(DAY);
    ann = await signIn(app.http, ann);
    await grantBenefit(app, ann, { plan: 'vip', days: 30 });
    await grantBenefit(app, ann, { plan: 'vip', days: 1 });
    await grantBenefit(app, ann, { bytes: MB, days: 2 });
    const { limit: raised, parts } = await limit('ja');
    expect(Number(raised)).toBe(51 * MB);
    expect(parts.reduce((sum, { bytes }) => sum + Number(bytes), 0)).toBe(51 * MB);
    expect(parts[1]).toEqual({
      id: 'vip',
      kind: 'plan',
      cause: 'plan',
      plan: { id: 'vip', name: '会員' },
      bytes: String(40 * MB),
      since: '2026-02-28T12:00:00.000+00:00',
      until: '2026-03-31T12:00:00.000+00:00',
      grace_until: '2026-04-03T12:00:00.000+00:00',
      ended: false,
      benefits: [
        {
          cause: 'administrator',
          start_time: '2026-02-28T12:00:00.000+00:00',
          end_time: '2026-03-30T12:00:00.000+00:00',
        },
        {
          cause: 'administrator',
          start_time: '2026-03-30T12:00:00.000+00:00',
          end_time: '2026-03-31T12:00:00.000+00:00',
        },
      ],
    });
    expect(parts[2]).toMatchObject({ kind: 'storage', cause: 'administrator', bytes: String(MB) });

    clock.advance(32 * DAY);
    ann = await signIn(app.http, ann);
    expect((await limit()).parts[1]).toMatchObject({ ended: true, plan: { name: 'VIP' } });
  });

  test('every change is listed, the newest first, with the name of what still exists', async () => {
    await using app = await open();
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const { id: sea } = await upload(app, ann, 'sea.jpg', Buffer.alloc(1000, 1));
    const { id: song } = await upload(app, ann, 'song.mp3', Buffer.alloc(200, 2));
    await ann.call(driveApi.trash, { body: { ids: [song] } });
    await ann.call(driveApi.removeMany, { body: { ids: [song] } });
    await app.jobs.drain();
    const { entries: all, causes, next_page_token: next } = await entries(ann);
    expect(all.map(brief)).toEqual([
      ['delete', -200, ''],
      ['upload', 200, ''],
      ['upload', 1000, 'sea.jpg'],
      ['base', 10 * MB, ''],
    ]);
    expect(all[2]!.file).toEqual({ id: sea, name: 'sea.jpg', kind: 'drive#file', parent_id: '' });
    expect(next).toBe('');
    expect(causes).toEqual([
      { resource: 'limit', cause: 'plan' },
      { resource: 'usage', cause: 'delete' },
      { resource: 'usage', cause: 'upload' },
    ]);
    expect((await entries(bob)).entries.map(brief)).toEqual([['base', 10 * MB, '']]);
  });

  test('a file from a share is named after the folder it was saved to, and only to the member who saved it', async () => {
    await using app = await open();
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const { id: file } = await upload(app, ann, 'sea.jpg', Buffer.alloc(1000, 1));
    const share = await ann.call(shareApi.create, { body: { file_ids: [file] } });
    const { pass_code_token: token } = await bob.call(shareApi.open, {
      query: { share_id: share.share_id, pass_code: share.pass_code },
    });
    await bob.call(shareApi.restore, {
      body: { share_id: share.share_id, pass_code_token: token, file_ids: [file] },
    });
    await app.jobs.drain();
    const [saved] = (await entries(bob)).entries;
    expect(brief(saved!).slice(0, 2)).toEqual(['restore', 1000]);
    expect(saved!.file?.id).not.toBe(file);
  });

  test('filters select by resource, cause and period, and pages follow one another', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    let ann = await app.signUp('ann');
    for (let day = 0; day < 5; day += 1) {
      await upload(app, ann, `${day}.txt`, 'x'.repeat(day + 1));
      clock.advance(DAY);
      ann = await signIn(app.http, ann);
    }
    await grantBenefit(app, ann, { plan: 'vip', days: 3 });
    const amounts = async (query: Query) => (await entries(ann, query)).entries.map(({ amount }) => amount);
    expect(await amounts({ resource: 'usage' })).toEqual(['5', '4', '3', '2', '1']);
    expect(await amounts({ resource: 'limit' })).toEqual([String(40 * MB), String(10 * MB)]);
    expect(await amounts({ cause: 'upload', limit: 2 })).toEqual(['5', '4']);
    expect(await amounts({ cause: 'delete' })).toEqual([]);
    expect(await amounts({ cause: 'upload', resource: 'limit' })).toEqual([]);
    const period = { since: '2026-02-28T12:00:00Z', until: '2026-03-02T12:00:00Z' };
    expect(await amounts(period)).toEqual(['3', '2']);

    const seen: string[] = [];
    let token = '';
    do {
      const page = await entries(ann, { limit: 3, page_token: token });
      expect(page.entries.length).toBeLessThanOrEqual(3);
      seen.push(...page.entries.map(({ id }) => id));
      token = page.next_page_token;
    } while (token !== '');
    expect(seen).toHaveLength(7);
    expect(seen).toEqual(seen.toSorted().toReversed());

    const first = await entries(ann, { limit: 1 });
    for (const query of [
      { page_token: first.next_page_token, cause: 'upload' },
      { resource: 'money' as never },
      { since: 'yesterday' },
      { cause: 'x'.repeat(65) },
    ])
      await expect(entries(ann, query)).rejects.toMatchObject({ id: 'invalid_argument' });
  });

  test('the export has all entries that match, in both formats, and names that are no formulas', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    const names = ['=HYPERLINK("x","a").txt', '+1.txt', '@a.txt', '-a, "b".txt', 'plain.txt'];
    for (const name of names) await upload(app, ann, name, name);
    const csv = await exported(ann, 'format=csv&cause=upload');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.headers['content-disposition']).toContain('storage-history.csv');
    const lines = csv.payload.split('\r\n');
    expect(lines[0]).toBe('\uFEFFid,created_time,resource,cause,amount,plan,file_id,file_name');
    expect(lines.slice(1, -1).map((line) => line.split(',').slice(7).join(','))).toEqual([
      'plain.txt',
      `"'-a, ""b"".txt"`,
      `'@a.txt`,
      `'+1.txt`,
      `"'=HYPERLINK(""x"",""a"").txt"`,
    ]);

    const json = await exported(ann, 'format=json');
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
    const { entries: all } = await entries(ann);
    expect(json.json()).toEqual(all);
    expect((await exported(ann, 'format=json&cause=delete')).json()).toEqual([]);
    const deleted = await exported(ann, `format=csv&cause=${'x'.repeat(65)}`);
    expect(deleted.statusCode).toBe(400);
    expect((await exported(ann, 'format=xlsx')).statusCode).toBe(400);
  });

  test('visitors learn nothing, and the export has every page of a long ledger once', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    await grow(app, ann, 1201);
    const rows = (await exported(ann, 'format=json')).json<LedgerItem[]>();
    expect(rows).toHaveLength(1202);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1202);
    for (const path of ['limit', 'usage', 'entries', 'export?format=csv'])
      expect((await app.visitor.inject({ method: 'GET', url: `/vip/v1/ledger/${path}` })).statusCode).toBe(
        401,
      );
  });

  test('the usage is listed by kind and by folder, with the trash', async () => {
    await using app = await open();
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const photos = await addFolder(ann, 'Photos');
    const music = await addFolder(ann, 'Music');
    const usage = async (member = ann) => {
      const reply = await member.call(ledgerApi.usage, {});
      return {
        ...reply,
        kinds: reply.kinds.map(({ category, bytes, files }) => [category, Number(bytes), files]),
        folders: reply.folders.map(({ name, bytes, files }) => [name, Number(bytes), files]),
      };
    };
    await upload(app, ann, 'sea.jpg', Buffer.alloc(1000, 1), { parent_id: photos });
    await upload(app, ann, 'sky.png', Buffer.alloc(500, 2), { parent_id: photos });
    const { id: song } = await upload(app, ann, 'song.mp3', Buffer.alloc(300, 3), { parent_id: music });
    await upload(app, ann, 'notes.txt', Buffer.alloc(20, 4));
    expect(await usage()).toEqual({
      used: '1820',
      kinds: [
        ['image', 1500, 2],
        ['audio', 300, 1],
        ['text', 20, 1],
      ],
      folders: [
        ['Photos', 1500, 2],
        ['Music', 300, 1],
      ],
      other_folders: { folders: 0, bytes: '0', files: 0 },
      root: { bytes: '20', files: 1 },
      trash: { bytes: '0', files: 0 },
      versions: { bytes: '0', files: 0 },
      rest: '0',
    });
    await ann.call(driveApi.trash, { body: { ids: [song] } });
    await ann.call(driveApi.rename, { params: { id: photos }, body: { name: 'Pictures' } });
    expect(await usage()).toMatchObject({
      used: '1820',
      folders: [['Pictures', 1500, 2]],
      trash: { bytes: '300', files: 1 },
      rest: '0',
    });
    expect(await usage(bob)).toMatchObject({ used: '0', kinds: [], folders: [] });
  });
});

test('a page reads its rows from an index, however long the ledger is', async () => {
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  await using app = await openTestApp({ dialect: 'sqlite', documents: PLANS });
  const ann = await app.signUp('ann');
  await upload(app, ann, 'notes.txt', Buffer.alloc(20, 1));
  for (const query of [
    {},
    { resource: 'usage' },
    { cause: 'upload' },
    { since: '2020-01-01T00:00:00Z' },
  ] as const)
    expect((await entries(ann, query)).entries.length).toBeGreaterThan(0);
  const statements = prepared.mock.calls.map(([statement]) => statement);
  prepared.mockRestore();
  const reading = new Set(statements.filter((one) => /\bledger\b.*order by id desc/s.test(one)));
  expect(reading.size).toBeGreaterThan(0);
  for (const statement of reading) {
    const plan = await sql<{ detail: string }>`explain query plan ${sql.raw(bare(statement))}`.execute(
      app.database.on(),
    );
    const reads = plan.rows.map(({ detail }) => detail).filter((detail) => /\bledger\b/.test(detail));
    expect(reads.length).toBeGreaterThan(0);
    for (const read of reads)
      expect(read).toContain(
        'SEARCH ledger USING INDEX ledger_by_cause (account=? AND resource=? AND reason=? AND id>? AND id<?)',
      );
  }
});

/** A statement whose parameters have a value, because a plan is of a complete statement. */
const bare = (statement: string): string => statement.replaceAll('?', "'1'");

/** Adds entries to a member's ledger that leave the usage as it is. */
async function grow(
  { database, ids, clock }: TestApp,
  { id: account }: Member,
  count: number,
): Promise<void> {
  const now = clock.now();
  for (let at = 0; at < count; at += 1000)
    await database.transaction((tx) =>
      tx
        .on<{ ledger: Record<string, string | number> }>()
        .insertInto('ledger')
        .values(
          Array.from({ length: Math.min(1000, count - at) }, (_, index) => ({
            id: ids.next(),
            account,
            resource: 'storage',
            amount: index % 2 ? 1 : -1,
            reason: at === 0 && index === 0 ? 'repair' : index % 2 ? 'upload' : 'delete',
            reference: 'gone',
            at: now,
          })),
        )
        .execute(),
    );
}
