import { driveApi, type File } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  grantBenefit,
  openTestApp,
  plant,
  runJob,
  signIn,
  turnableClock,
} from '../../../testing/index.ts';

const DAY = 24 * 3600 * 1000;

eachDatabase((dialect) => {
  test('what is deleted stays for the days of the plan then or now, whichever are more', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({
      dialect,
      clock,
      environment: { TRASH_DAYS: '10' },
      documents: { external_products: { plans: [{ id: 'vip', trash_days: 60 }] } },
    });
    let [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
    const later = async (days: number): Promise<void> => {
      clock.advance(days * DAY);
      [ann, ben] = [await signIn(app.http, ann), await signIn(app.http, ben)];
    };
    const ids = await plant(app, ann.id, { 'free.txt': 'a', 'vip.txt': 'bb', 'late.txt': 'ccc' });
    const bens = await plant(app, ben.id, { 'ben.txt': 'b' });
    const left = async (who: typeof ann): Promise<Record<string, number>> => {
      const { files } = await who.call(driveApi.list, {
        query: { parent_id: '*', filters: '{"trashed":{"eq":true}}', with_trashed_time: 'true' },
      });
      const ends = (some: readonly File[]) =>
        some.map(({ name, delete_time: end }) => `${name} ${end}`).toSorted();
      const { files: found } = await who.call(driveApi.search, { query: { q: 'txt', place: 'trash' } });
      expect(ends(found)).toEqual(ends(files));
      const { files: all } = await who.call(driveApi.list, { query: { parent_id: '' } });
      expect(ends(all.filter(({ trashed }) => trashed))).toEqual(ends(files));
      return Object.fromEntries(
        files.map(({ name, delete_time, params }) => {
          expect(Date.parse(params['trashed_time']!)).toBeLessThanOrEqual(clock.now());
          return [name, Math.round((Date.parse(delete_time) - Date.parse(params['trashed_time']!)) / DAY)];
        }),
      );
    };
    const sweep = (): Promise<void> => runJob(app, 'trash-retention');
    const days = async (who: Pick<typeof ann, 'call'>): Promise<number> =>
      (await who.call(driveApi.trashRule, {})).days;
    const trash = (who: typeof ann, id: string) => who.call(driveApi.trash, { body: { ids: [id] } });

    await trash(ann, ids['free.txt']!);
    await trash(ben, bens['ben.txt']!);
    expect(await left(ann)).toEqual({ 'free.txt': 10 });
    expect(await days(app.visitor)).toBe(10);
    clock.advance(1000);
    await grantBenefit(app, ann, { plan: 'vip', days: 20 });
    expect(await days(ann)).toBe(60);
    expect(await left(ann)).toEqual({ 'free.txt': 60 });
    await later(11);
    await trash(ann, ids['vip.txt']!);
    await sweep();
    expect(await left(ben)).toEqual({});
    expect(await left(ann)).toEqual({ 'free.txt': 60, 'vip.txt': 60 });

    // The plan ends: what was deleted under it keeps its days.
    await later(12);
    await trash(ann, ids['late.txt']!);
    expect(await days(ann)).toBe(10);
    expect(await left(ann)).toEqual({ 'free.txt': 10, 'vip.txt': 60, 'late.txt': 10 });
    await sweep();
    expect(await left(ann)).toEqual({ 'vip.txt': 60, 'late.txt': 10 });
    await later(40);
    await sweep();
    expect(await left(ann)).toEqual({ 'vip.txt': 60 });
    await later(10);
    await sweep();
    expect(await left(ann)).toEqual({});
  });
});
