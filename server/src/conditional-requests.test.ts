import { driveApi, shareApi, type File } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import type { Tx } from './foundation/database/index.ts';
import type { Caller } from './foundation/http/index.ts';
import {
  basic,
  davClient,
  eachDatabase,
  openTestApp,
  PASSWORD,
  plant,
  shareOfAnn,
  signIn,
  taskComplete,
  turnableClock,
  upload,
  type Person,
} from '../testing/index.ts';

interface Seen {
  readonly tag: string;
  readonly body: string;
}

let looks = 0;

/** Also fails if a reply that may be a remembered one differs from one that is read for the first time. */
async function look(person: Person, url: string): Promise<Seen> {
  const [reply, unknown] = [
    await person.inject({ url }),
    await person.inject({ url: `${url}&look=${(looks += 1)}` }),
  ];
  expect(reply.statusCode, reply.body).toBe(200);
  const [body, read] = [reply, unknown].map((one) => one.body.replace(/"sync_time":"[^"]*"/, ''));
  expect(body).toBe(read);
  return { tag: String(reply.headers['etag'] ?? ''), body: body! };
}

/** The files of a list as everybody sees them, in a fixed order. */
async function shownIn(
  person: Person,
  url: string,
): Promise<Pick<File, 'id' | 'name' | 'size' | 'hash' | 'md5_checksum' | 'modified_time'>[]> {
  const { files }: { files: File[] } = (await person.inject({ url })).json();
  return files
    .map(({ id, name, size, hash, md5_checksum, modified_time }) => ({
      id,
      name,
      size,
      hash,
      md5_checksum,
      modified_time,
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const statusWith = async (person: Person, url: string, tag: string): Promise<number> =>
  (await person.inject({ url, headers: { 'if-none-match': tag } })).statusCode;

const listOf = (folder: string, filters = '{"trashed":{"eq":false}}'): string =>
  `/drive/v1/files?parent_id=${folder}&limit=100&filters=${encodeURIComponent(filters)}`;

/** Fails if a list has changed under the same tag, or the other way around if nobody changed the drive. */
async function expectChange(
  views: readonly (readonly [Person, string])[],
  change: () => Promise<unknown>,
  what: string,
): Promise<void> {
  const before = await Promise.all(views.map(([person, url]) => look(person, url)));
  for (const [at, [person, url]] of views.entries()) {
    const { tag } = before[at]!;
    expect(await statusWith(person, url, tag), url).toBe(tag === '' ? 200 : 304);
  }
  await change();
  let changed = 0;
  for (const [at, [person, url]] of views.entries()) {
    const status = await statusWith(person, url, before[at]!.tag);
    const after = await look(person, url);
    if (after.body !== before[at]!.body) {
      changed += 1;
      expect(status, `${what}: ${url}`).toBe(200);
      if (before[at]!.tag !== '') expect(after.tag, `${what}: ${url}`).not.toBe(before[at]!.tag);
    }
  }
  expect(changed, what).toBeGreaterThan(0);
}

eachDatabase((dialect) => {
  test('no change to a drive is hidden from those who know its lists', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { one: { 'a.txt': 'aa', 'b.txt': 'b', deep: {} }, two: {} });
    const [one, two, file, other] = [ids['one']!, ids['two']!, ids['one/a.txt']!, ids['one/b.txt']!];
    const shared = await ann.call(shareApi.create, { body: { file_ids: [one] } });
    const { pass_code_token: token } = await app.visitor.call(shareApi.open, {
      query: { share_id: shared.share_id },
    });
    const visit = `/drive/v1/share/detail?share_id=${shared.share_id}&pass_code_token=${encodeURIComponent(token)}&parent_id=${one}&limit=100`;
    const bob = await app.signUp('bob');
    const bobs = await bob.call(shareApi.create, {
      body: { file_ids: [(await plant(app, bob.id, { 'bobs.txt': 'bob' }))['bobs.txt']!] },
    });
    const saved = async (): Promise<{ task_id: string }> => {
      const reply = await ann.call(shareApi.restore, {
        body: { share_id: bobs.share_id, pass_code_token: '' },
      });
      return { task_id: reply.restore_task_id };
    };
    const dav = davClient(app.http, { authorization: basic(ann.email, PASSWORD) });
    const done = async (started: Promise<{ task_id: string }>): Promise<void> =>
      void (await taskComplete(ann, (await started).task_id));
    const views = [
      [ann, listOf('')],
      [ann, listOf(one)],
      [ann, listOf(two)],
      [ann, listOf('*', '{"trashed":{"eq":true}}')],
      [ann, listOf('*', '{"system_tag":{"in":"STAR"},"trashed":{"eq":false}}')],
      [app.visitor, visit],
    ] as const;
    const ofFile = { body: { ids: [file] } };
    const changes: Record<string, () => Promise<unknown>> = {
      'a new folder': () =>
        ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'new', parent_id: one } }),
      'a new name': () => ann.call(driveApi.rename, { params: { id: file }, body: { name: 'c.txt' } }),
      'a star': () => ann.call(driveApi.star, ofFile),
      'no star': () => ann.call(driveApi.unstar, ofFile),
      'a move': () => ann.call(driveApi.move, { body: { ids: [file], to: { parent_id: two } } }),
      'a move back': () => ann.call(driveApi.move, { body: { ids: [file], to: { parent_id: one } } }),
      trash: () => ann.call(driveApi.trash, ofFile),
      'back from the trash': () => ann.call(driveApi.untrash, ofFile),
      'an upload': () => upload(app, ann, 'd.txt', 'dd', { parent_id: one }),
      checksums: () =>
        app.database.transaction(async (tx) =>
          app.blobs.setChecksums(tx, (await app.nodes.find(tx, ann.id, other))!.blob!, {
            sha1: '1'.repeat(40),
            md5: '2'.repeat(32),
          }),
        ),
      'a copy': () => done(ann.call(driveApi.copy, { body: { ids: [file], to: { parent_id: two } } })),
      'a saved share': () => done(saved()),
      'a WebDAV upload': () => dav.send('PUT', '/one/e.txt', { body: 'ee' }),
      'a WebDAV overwrite': () => dav.send('PUT', '/one/e.txt', { body: 'longer' }),
      'a WebDAV move': () =>
        dav.send('MOVE', '/one/e.txt', { headers: { destination: 'http://drive.test/dav/two/e.txt' } }),
      'a WebDAV deletion': () => dav.send('DELETE', '/two/e.txt'),
      'emptying the trash': () => done(ann.call(driveApi.emptyTrash, {})),
      deletion: () => ann.call(driveApi.removeMany, { body: { ids: [other] } }),
    };
    for (const [what, change] of Object.entries(changes)) {
      await expectChange(views, change, what);
      // Listings of shares are remembered: visitors must see what the owner sees.
      const [own, visitors] = await Promise.all([shownIn(ann, listOf(one)), shownIn(app.visitor, visit)]);
      expect(visitors, what).toEqual(own);
    }
  });

  test('no change to what is shared is hidden from visitors who open the share', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, ids, shareId } = await shareOfAnn(app);
    const [folder, file] = [ids['secret plans']!, ids['list.txt']!];
    const other = (await plant(app, ann.id, { other: {} }))['other']!;
    const open = `/drive/v1/share?share_id=${shareId}&limit=100`;
    const ofFile = { body: { ids: [file] } };
    const changes: Record<string, () => Promise<unknown>> = {
      'a new name': () => ann.call(driveApi.rename, { params: { id: file }, body: { name: 'c.txt' } }),
      'a move': () => ann.call(driveApi.move, { body: { ids: [folder], to: { parent_id: other } } }),
      checksums: () =>
        app.database.transaction(async (tx) =>
          app.blobs.setChecksums(tx, (await app.nodes.find(tx, ann.id, file))!.blob!, {
            sha1: '1'.repeat(40),
            md5: '2'.repeat(32),
          }),
        ),
      'a folder above in the trash': () => ann.call(driveApi.trash, { body: { ids: [other] } }),
      'that folder back from the trash': () => ann.call(driveApi.untrash, { body: { ids: [other] } }),
      trash: () => ann.call(driveApi.trash, ofFile),
      'back from the trash': () => ann.call(driveApi.untrash, ofFile),
      deletion: () => ann.call(driveApi.removeMany, ofFile),
    };
    const live = async (): Promise<unknown[]> => {
      const found = await app.nodes.findMany(app.database, ann.id, [folder, file]);
      return found.map(({ id, name, md5 }) => [id, name, md5 ?? '']);
    };
    for (const [what, change] of Object.entries(changes)) {
      await shownIn(app.visitor, open);
      await change();
      const seen = (await shownIn(app.visitor, open)).map(({ id, name, md5_checksum: md5 }) => [
        id,
        name,
        md5,
      ]);
      const expected = await live();
      expect(seen, what).toHaveLength(expected.length);
      expect(seen, what).toEqual(expect.arrayContaining(expected));
    }
  });

  test('a change that is undone is never shown afterwards', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, ids, shareId } = await shareOfAnn(app);
    const open = `/drive/v1/share?share_id=${shareId}&limit=100`;
    const names = async (): Promise<string[]> => (await shownIn(app.visitor, open)).map(({ name }) => name);
    const rename = async (tx: Tx, name: string): Promise<void> => {
      await app.nodes.lock(tx, ann.id);
      await tx
        .on<{ node: { id: string; name: string } }>()
        .updateTable('node')
        .set({ name })
        .where('id', '=', ids['list.txt']!)
        .execute();
    };
    const undone = app.database.transaction(async (tx) => {
      await rename(tx, 'undone.txt');
      await tx.join(async () => {
        const caller = { viewer: null, address: '', deviceId: '' } as unknown as Caller;
        const { roots } = await app.share.entry.enter(caller, { shareId });
        expect(roots.map(({ name }) => name)).toContain('undone.txt');
      });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await app.database.transaction((tx) => rename(tx, 'done.txt'));
    expect((await names()).toSorted()).toEqual(['done.txt', 'secret plans']);
  });

  test('lists are sent again before their thumbnail links expire', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { 'photo.jpg': 'x' });
    const share = await ann.call(shareApi.create, { body: { file_ids: [ids['photo.jpg']!] } });
    const visit = `/drive/v1/share/detail?share_id=${share.share_id}&pass_code_token=&limit=100`;
    const { tag, body } = await look(app.visitor, visit);
    const { thumbnail_link: link } = (JSON.parse(body) as { files: File[] }).files[0]!;
    const expireAt = Number(new URL(link).searchParams.get('expire')) * 1000;
    expect(await statusWith(app.visitor, visit, tag)).toBe(304);
    clock.advance(expireAt - clock.now() - 1000);
    expect(await statusWith(app.visitor, visit, tag)).toBe(200);
  });

  test('no change to a share is hidden from visitors who know its listing', async () => {
    await using app = await openTestApp({ dialect });
    const { ann: owner, ids, shareId } = await shareOfAnn(app);
    let ann = owner;
    const bob = await app.signUp('bob');
    const listing = async (): Promise<string> => {
      const { pass_code_token: token } = await app.visitor.call(shareApi.open, {
        query: { share_id: shareId, pass_code: passcode },
      });
      return `/drive/v1/share/detail?share_id=${shareId}&pass_code_token=${encodeURIComponent(token)}&limit=100`;
    };
    let passcode = '';
    const edit = (change: object) => () =>
      ann.call(shareApi.edit, { body: { share_id: shareId, ...change } });
    const changes: [string, () => Promise<unknown>][] = [
      [
        'an item with another name',
        () => ann.call(driveApi.rename, { params: { id: ids['list.txt']! }, body: { name: 'l.txt' } }),
      ],
      ['an item in the trash', () => ann.call(driveApi.trash, { body: { ids: [ids['list.txt']!] } })],
      ['a pause', edit({ paused: true })],
      ['the end of a pause', edit({ paused: false })],
      ['a frozen owner', () => app.accounts.freeze(ann.id, true)],
      [
        'an owner who isn’t frozen any more',
        async () => {
          await app.accounts.freeze(ann.id, false);
          ann = await signIn(app.http, ann);
        },
      ],
      [
        'a passcode',
        async () => {
          passcode = (await edit({ pass_code_option: 'REQUIRED' })()).pass_code;
        },
      ],
      [
        'a limit that is reached',
        async () => {
          await edit({ restore_limit: '1' })();
          const url = await listing();
          const token = new URL(url, 'http://drive.test').searchParams.get('pass_code_token')!;
          const saved = await bob.call(shareApi.restore, {
            body: { share_id: shareId, pass_code_token: token, file_ids: [] },
          });
          await taskComplete(bob, saved.restore_task_id);
        },
      ],
      ['no limit', edit({ restore_limit: '-1' })],
      ['the end of the share', () => ann.call(shareApi.cancel, { params: { id: shareId } })],
    ];
    for (const [what, change] of changes) {
      const url = await listing();
      await expectChange([[app.visitor, url]], change, what);
    }
  });
});
