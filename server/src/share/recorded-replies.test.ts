import { join } from 'node:path';
import { driveApi, shareApi } from '@bowerbird/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  plant,
  turnableClock,
  type Member,
  type TestApp,
} from '../../testing/index.ts';

// Clients depend on every field of a reply, and some on their order. These replies were recorded before lists were made
// faster. Random values are replaced, and a text that people read.

const RECORD = join(import.meta.dirname, '../../testing/clients/golden/recorded-replies.txt');
const ID = /V[0-9A-HJKMNP-TV-Z]{25,26}(?![0-9A-Z])/g;
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/sign=[\w-]+/g, 'sign=…'],
  [/"((?:pass_code|next_page)_)?token":"[^"]+"/g, '"$1token":"…"'],
  [/"share_status_text":"[^"]*"/g, '"share_status_text":"…"'],
];

eachDatabase((dialect) => {
  let app: TestApp;
  let ann: Member;
  let ids: Record<string, string>;
  const clock = turnableClock();

  beforeAll(async () => {
    app = await openTestApp({ dialect, clock });
    ann = await app.signUp('ann');
    ids = await plant(app, ann.id, {
      all: {
        'plain.txt': 'plain',
        'She said “hi”.txt': 'hi',
        '日本 😀.jpg': 'picture',
        'film.MP4': 'film',
        'song.mp3': 'song',
        'no extension': '',
        'archive.tar.gz': 'archive',
        'line\u2028separator é.md': 'text',
        'photo 2.png': 'two',
        'photo 10.png': 'ten',
        Folder: { 'inside.pdf': 'inside' },
        empty: {},
      },
      'gone.txt': 'gone',
      'gone folder': { 'film.mkv': 'gone' },
    });
  });
  afterAll(() => app.close());

  test('the replies of lists, shares and files are the recorded ones, byte by byte', async () => {
    const numbers = new Map<string, number>();
    const texts: string[] = [];
    const shown = (text: string): string => {
      const named = text.replace(ID, (id) => {
        if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
        return `<${numbers.get(id)}>`;
      });
      return RANDOM.reduce((rest, [random, shape]) => rest.replace(random, shape), named);
    };
    const ask = async (who: { inject: Member['inject'] }, url: string) => {
      const reply = await who.inject({ method: 'GET', url });
      expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.byteLength);
      texts.push(
        shown(`${decodeURIComponent(url).replace(/(page_token)=.+/, '$1=…')}\n`) +
          `${reply.statusCode} ${reply.headers['content-type']} ${reply.headers['cache-control']}\n${shown(reply.payload)}\n`,
      );
      return reply;
    };
    const files = (query: Record<string, string>): string =>
      `/drive/v1/files?${new URLSearchParams(query).toString()}`;
    const live = '{"trashed":{"eq":false}}';
    const all = ids['all']!;

    const first = await ask(ann, files({ parent_id: all, limit: '3', filters: live }));
    const token = first.json<{ next_page_token: string }>().next_page_token;
    await ask(ann, files({ parent_id: all, limit: '1000', filters: live, page_token: token }));
    await ask(ann, files({ parent_id: all }));
    for (const order of ['name_desc', 'type_asc', 'size_desc', 'mod_asc'])
      await ask(ann, files({ parent_id: all, order, folders_first: 'false', with_total: 'true' }));
    await ask(
      ann,
      files({ parent_id: all, thumbnail_size: 'SIZE_LARGE', filters: '{"mime_type":{"prefix":"image/"}}' }),
    );

    await ann.call(driveApi.star, { body: { ids: [ids['all/film.MP4']!, ids['all/Folder']!] } });
    await ask(ann, files({ parent_id: '*', filters: '{"starred":{"eq":true}}' }));
    clock.advance(61_001);
    await ann.call(driveApi.trash, { body: { ids: [ids['gone.txt']!, ids['gone folder']!] } });
    await ask(ann, files({ parent_id: '*', filters: '{"trashed":{"eq":true}}' }));
    for (const name of ['film.MP4', 'plain.txt', 'no extension', 'photo 2.png', 'Folder'])
      await ask(ann, `/drive/v1/files/${ids[`all/${name}`]}`);
    await ask(ann, `/drive/v1/files/${ids['gone folder/film.mkv']}`);

    const share = async (roots: string[], more = {}): Promise<string> =>
      (await ann.call(shareApi.create, { body: { file_ids: roots, ...more } })).share_id;
    const open = await share([all]);
    const roots = await share([ids['all/song.mp3']!, ids['all/Folder']!, ids['all/photo 10.png']!], {
      title: 'Mixed',
    });
    const locked = await share([all], { pass_code_option: 'REQUIRED' });
    await ask(app.visitor, `/drive/v1/share?share_id=${open}`);
    await ask(app.visitor, `/drive/v1/share?share_id=${roots}&order=size_desc&thumbnail_size=SIZE_SMALL`);
    await ask(app.visitor, `/drive/v1/share?share_id=${locked}`);
    await ask(app.visitor, `/drive/v1/share/detail?share_id=${open}&parent_id=${all}`);
    await ask(
      app.visitor,
      `/drive/v1/share/detail?share_id=${open}&parent_id=${all}&limit=2&order=type_desc`,
    );
    await ask(app.visitor, `/drive/v1/share/file_info?share_id=${open}&file_id=${ids['all/film.MP4']}`);
    await ask(ann, `/drive/v1/share?share_id=${open}`);
    await expect(texts.join('\n')).toMatchFileSnapshot(RECORD);
  });
});
