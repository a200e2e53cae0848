import { driveApi, shareApi, type SearchHit } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, plant, type Member } from '../../../testing/index.ts';

const write = (member: Member, id: string, text: string) =>
  member.call(driveApi.setNote, { params: { id }, body: { text } });
const read = async (member: Member, id: string): Promise<string> =>
  (await member.call(driveApi.note, { params: { id } })).text;

async function search(member: Member, q: string, more: object = {}): Promise<SearchHit[]> {
  const found: SearchHit[] = [];
  for (let token = ''; ;) {
    const page = await member.call(driveApi.search, { query: { q, page_token: token, ...more } });
    found.push(...page.files);
    token = page.next_page_token;
    if (token === '') return found;
  }
}
const names = async (...given: Parameters<typeof search>): Promise<string[]> =>
  (await search(...given)).map(({ name }) => name);

eachDatabase((dialect) => {
  test('a note is written, shown as a mark in lists, changed and removed', async () => {
    await using app = await openTestApp({ dialect });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const ids = await plant(app, ann.id, { box: { 'a.txt': 'a' } });
    const id = ids['box/a.txt']!;
    expect(await ann.call(driveApi.note, { params: { id } })).toEqual({ text: '', modified_time: '' });
    const note = await write(ann, id, '  one\r\ntwo\u0000 <b>\n');
    expect(note.text).toBe('one\ntwo <b>');
    expect(note.modified_time).toMatch(/^2/);
    expect(await read(ann, id)).toBe('one\ntwo <b>');
    const list = () => ann.call(driveApi.list, { query: { parent_id: ids['box']! } });
    expect((await list()).files[0]).toMatchObject({ has_note: true });
    await ann.call(driveApi.copy, { body: { ids: [ids['box']!], to: { parent_id: '' } } });
    const copy = (await search(ann, 'a.txt')).find((hit) => hit.id !== id)!;
    expect(await read(ann, copy.id)).toBe('one\ntwo <b>');
    await write(ann, id, ' ');
    expect((await list()).files[0]).not.toHaveProperty('has_note');
    expect(await write(ann, id, '😀'.repeat(4000))).toMatchObject({ text: '😀'.repeat(4000) });
    await expect(write(ann, id, 'x'.repeat(4001))).rejects.toMatchObject({ id: 'invalid_argument' });
    for (const work of [() => write(bob, id, 'x'), () => read(bob, id), () => write(ann, 'VGONE', 'x')])
      await expect(work()).rejects.toMatchObject({ id: 'file_not_found' });
    const share = await ann.call(shareApi.create, { body: { file_ids: [ids['box']!] } });
    const found = await app.visitor.call(shareApi.search, {
      query: { share_id: share.share_id, q: '😀' },
    });
    expect(found.files).toEqual([]);
    const named = await app.visitor.call(shareApi.search, {
      query: { share_id: share.share_id, q: 'a.txt' },
    });
    expect(named.files[0]).not.toHaveProperty('has_note');
    await ann.call(driveApi.removeMany, { body: { ids: [ids['box']!, copy.parent_id] } });
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('searches find notes after names, by the same rules, in any pages', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, {
      work: { 'plan.txt': 'x', 'Müller.pdf': 'x', 'rent.txt': 'x' },
      'letter.txt': 'x',
      'gone.txt': 'x',
    });
    await write(ann, ids['work/plan.txt']!, 'Crêpes for\nthe café on Friday');
    await write(ann, ids['letter.txt']!, 'About the CAFE rent, and Jürgen');
    await write(ann, ids['gone.txt']!, 'cafe');
    await ann.call(driveApi.trash, { body: { ids: [ids['gone.txt']!] } });
    expect(await names(ann, 'café')).toEqual(['letter.txt', 'plan.txt']);
    // A name comes first, and an item whose name and note match is there once.
    await write(ann, ids['work/rent.txt']!, 'rent');
    expect(await names(ann, 'rent')).toEqual(['rent.txt', 'letter.txt']);
    expect(await names(ann, 'rent', { limit: 1 })).toEqual(['rent.txt', 'letter.txt']);
    expect(await names(ann, 'cafe', { limit: 1 })).toEqual(['letter.txt', 'plan.txt']);
    // Words may be in both.
    expect(await names(ann, 'plan friday')).toEqual(['plan.txt']);
    expect(await names(ann, '"for the cafe"')).toEqual(['plan.txt']);
    expect(await names(ann, 'juergen')).toEqual(['letter.txt']);
    expect(await names(ann, 'cafe', { parent_id: ids['work']! })).toEqual(['plan.txt']);
    expect(await names(ann, 'cafe type:pdf')).toEqual([]);
    expect(await names(ann, 'cafe ext:txt in:work')).toEqual(['plan.txt']);
    expect(await names(ann, 'cafe', { place: 'trash' })).toEqual(['gone.txt']);
    expect(await names(ann, 'cafe is:starred')).toEqual([]);
    const [hit] = await search(ann, 'friday');
    const { text, matches } = hit!.note!;
    expect(text).toBe('Crêpes for the café on Friday');
    expect(matches.map(([from, to]) => text.slice(from, to))).toEqual(['Friday']);
    expect(hit).toMatchObject({ matches: [], has_note: true });

    await write(ann, ids['work/plan.txt']!, `${'word '.repeat(100)}the needle ${'more '.repeat(100)}`);
    const [far] = await search(ann, 'needle');
    expect(far!.note!.text).toMatch(/^…(word )+the needle .*…$/);
    expect(far!.note!.text.length).toBeLessThan(170);
    expect(far!.note!.matches.map(([from, to]) => far!.note!.text.slice(from, to))).toEqual(['needle']);
    const bob = await app.signUp('bob');
    expect(await names(bob, 'cafe')).toEqual([]);
  });
});
