import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountApi, driveApi, shareApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { person } from '../../testing/index.ts';
import { openApp } from '../app.ts';
import { check } from './check-command.ts';
import { readConfig } from '../foundation/index.ts';
import { seed } from './seed-command.ts';

test('the demo drive contains real files and shares, is consistent, and is filled only once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-seed-'));
  const config = readConfig({ DATA_DIR: folder, SITE_URL: 'http://drive.test', LOG_LEVEL: 'silent' });
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const password = 'a bower of blue things';
  try {
    await seed(config, ['--password', password], say);
    await seed(config, [], say);
    expect(said.at(-1)).toContain('already');
    await check(config, { repair: false, say });
    expect(said.at(-1)).toBe('Everything agrees.');

    const app = await openApp(config);
    try {
      const grant = await person(app.http).call(accountApi.signIn, {
        body: { username: 'demo@bowerbird.local', password },
      });
      const demo = person(app.http, { authorization: `Bearer ${grant.access_token}` });
      const list = async (parent: string) =>
        (
          await demo.call(driveApi.list, {
            query: {
              parent_id: parent,
              order: 'NAME_ASC',
              filters: '{"trashed":{"eq":false}}',
              thumbnail_size: 'SIZE_SMALL',
            },
          })
        ).files;
      const root = await list('');
      expect(root.map(({ name }) => name)).toEqual([
        'Documents',
        'Music',
        'Names',
        'Photos',
        'Photos.zip',
        'Welcome.md',
      ]);
      const names = await list(root[2]!.id);
      expect(names.map(({ name }) => name)).toContain('emoji 🪶🫐.txt');
      const [photo] = await list(root[3]!.id);
      const picture = await demo.inject({ url: photo!.thumbnail_link.replace(/^https?:\/\/[^/]+/, '') });
      expect(picture).toMatchObject({
        statusCode: 200,
        headers: { 'content-type': expect.stringMatching(/^image\//) },
      });

      const shared = said
        .filter((line) => line.startsWith('Shared'))
        .map((line) => /\/s\/(\w+)$/.exec(line)![1]!);
      const open = (share_id: string, pass_code = '') =>
        person(app.http).call(shareApi.open, { query: { share_id, pass_code } });
      expect(await open(shared[0]!)).toMatchObject({ share_status: 'OK', files: [{ name: 'Photos' }] });
      expect(await open(shared[1]!)).toMatchObject({ share_status: 'PASS_CODE_EMPTY', files: [] });
      expect(await open(shared[1]!, 'blue')).toMatchObject({ share_status: 'OK' });
    } finally {
      await app.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
