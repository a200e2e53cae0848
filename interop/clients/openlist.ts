import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { driveApi, shareApi } from '@bowerbird/contract';
import type { Client, Scene } from '../client.ts';
import { openDesk, signedIn } from '../desk.ts';
import { canNameHosts, startOpenList, type OpenList } from '../openlist.ts';
import { run } from '../programs.ts';
import { standInForOpenList } from '../stand-ins.ts';

const MIB = 2 ** 20;
/** In its Android mode, it uploads to a host name that must resolve. */
const PLATFORMS = canNameHosts() ? ['web', 'pc', 'android'] : ['web', 'pc'];

/** OpenList's three drivers for this service, through OpenList's own API, with the binary named by OPENLIST. */
export const openlist: Client = {
  title: 'OpenList, PikPak, PikPakShare and WebDav',
  async ready() {
    const program = process.env['OPENLIST'];
    const standIn = standInForOpenList;
    if (!program) return { absent: 'OPENLIST names no binary of it', standIn };
    if (!existsSync(program)) return { absent: `there is no ${program}`, standIn };
    const { out } = await run(program, ['version']);
    const version = /^Version: (\S+)/m.exec(out)?.[1] ?? '';
    return { version, run: (scene) => runOpenList(scene, program) };
  },
};

async function runOpenList(scene: Scene, program: string): Promise<void> {
  const { step } = scene;
  if (!canNameHosts())
    scene.count('PikPak as android, which needs root and unshare', { passed: 0, failed: 0, skipped: 1 }, []);
  await using list = await step('start', () => startOpenList(scene, program));
  const small = randomBytes(5 * MIB);
  for (const platform of PLATFORMS)
    await step(`PikPak as ${platform}: storage`, () => addPikPak(scene, list, platform));
  const { url, user: username, secret: password } = await openDesk(scene);
  await step('WebDav: storage', () =>
    list.mount('/dav', 'WebDav', {
      vendor: 'other',
      address: url,
      username,
      password,
      root_folder_path: '/',
    }),
  );
  for (const name of [...PLATFORMS, 'dav']) await driveStorage(scene, list, name, small);
  const shares = await mountShares(scene, list);
  for (const share of shares) await readShare(scene, list, share, small);

  await scene.pause();
  for (const name of [...PLATFORMS, 'dav']) await driveAfterPause(scene, list, name, small);
  for (const share of shares) await readShare(scene, list, share, small);
  for (const name of [...PLATFORMS, 'dav'])
    await step(`${name}: remove after the pause`, async () => {
      await list.call('fs/remove', { dir: `/${name}`, names: [`of ${name}`] });
      assert.ok(!(await list.names(`/${name}`)).includes(`of ${name}`));
    });
}

const addPikPak = ({ person }: Scene, list: OpenList, platform: string): Promise<void> =>
  list.mount(`/${platform}`, 'PikPak', {
    root_folder_id: '',
    username: person.email,
    password: person.password,
    platform,
    refresh_token: '',
    disable_media_link: true,
  });

/** Every kind of change in one storage, in a separate folder. */
async function driveStorage({ step }: Scene, list: OpenList, name: string, small: Buffer): Promise<void> {
  const at = `/${name}/of ${name}`;
  await step(`${name}: mkdir`, () => list.call('fs/mkdir', { path: `${at}/deep` }));
  await step(`${name}: put`, () => list.put(`${at}/small.bin`, small));
  await step(`${name}: put of nothing`, () => list.put(`${at}/empty.txt`, Buffer.alloc(0)));
  await step(`${name}: put under an odd name`, () =>
    list.put(`${at}/100% +plus #hash 🐦.txt`, Buffer.from(`a feather of ${name}`)),
  );
  const large = randomBytes(25 * MIB);
  await step(`${name}: put in parts`, () => list.put(`${at}/large.bin`, large));
  await step(`${name}: list`, async () =>
    assert.deepEqual(
      (await list.names(at)).toSorted(),
      ['100% +plus #hash 🐦.txt', 'deep', 'empty.txt', 'large.bin', 'small.bin'].toSorted(),
    ),
  );
  await step(`${name}: download`, async () => {
    assert.ok((await list.read(`${at}/large.bin`)).equals(large));
    assert.ok((await list.read(`${at}/small.bin`)).equals(small));
  });
  await step(`${name}: download of a range`, async () =>
    assert.ok((await list.read(`${at}/large.bin`, 'bytes=1000-1999')).equals(large.subarray(1000, 2000))),
  );
  await step(`${name}: rename`, () =>
    list.call('fs/rename', { path: `${at}/small.bin`, name: 'renamed.bin' }),
  );
  await step(`${name}: move`, () =>
    list.call('fs/move', { src_dir: at, dst_dir: `${at}/deep`, names: ['renamed.bin'] }),
  );
  await step(`${name}: copy`, async () => {
    await list.call('fs/copy', { src_dir: `${at}/deep`, dst_dir: at, names: ['renamed.bin'] });
    await list.untilListed(at, 'renamed.bin');
  });
  await step(`${name}: remove`, async () => {
    await list.call('fs/remove', { dir: at, names: ['large.bin'] });
    assert.ok(!(await list.names(at)).includes('large.bin'));
  });
}

async function driveAfterPause({ step }: Scene, list: OpenList, name: string, small: Buffer): Promise<void> {
  const at = `/${name}/of ${name}`;
  await step(`${name}: list after the pause`, async () =>
    assert.ok((await list.names(at)).includes('renamed.bin')),
  );
  await step(`${name}: download after the pause`, async () =>
    assert.ok((await list.read(`${at}/renamed.bin`)).equals(small)),
  );
  await step(`${name}: put after the pause`, () => list.put(`${at}/late.bin`, randomBytes(MIB)));
}

/** Two shares of the uploaded files, with and without a passcode, each on every platform. */
async function mountShares(scene: Scene, list: OpenList): Promise<string[]> {
  const call = await signedIn(scene);
  const mounted: string[] = [];
  const { files } = await call(driveApi.list, { query: {} });
  const { id } = files.find(({ name }) => name === 'of web')!;
  for (const option of ['REQUIRED', 'NOT_REQUIRED'] as const) {
    const { share_id: shareId, pass_code: passcode } = await call(shareApi.create, {
      body: { file_ids: [id], pass_code_option: option },
    });
    for (const platform of PLATFORMS) {
      const path = `/share ${platform} ${option}`;
      await scene.step(`PikPakShare as ${platform}, passcode ${option}: storage`, () =>
        list.mount(path, 'PikPakShare', {
          root_folder_id: '',
          share_id: shareId,
          share_pwd: passcode,
          platform,
          use_transcoding_address: false,
        }),
      );
      mounted.push(path);
    }
  }
  return mounted;
}

const readShare = ({ step }: Scene, list: OpenList, share: string, small: Buffer): Promise<void> =>
  step(`${share.slice(1)}: list, download`, async () => {
    assert.deepEqual(await list.names(share), ['of web']);
    assert.ok((await list.read(`${share}/of web/renamed.bin`)).equals(small));
  });
