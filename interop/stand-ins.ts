import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  connectOpenList,
  connectPikPakApi,
  connectRclone,
  connectShare,
  send,
  type Line,
} from '../server/testing/clients/index.ts';
import type { Scene } from './client.ts';
import type { Person } from './server.ts';

// Stand-ins for clients that can't be installed: they send the same requests in the same order, and parse responses
// just as strictly.

const MIB = 2 ** 20;
const lineTo = ({ origin }: Scene): Line => ({ origin, answers: new Map() });
const credentials = ({ email, password }: Person) => ({ username: email, password });

async function follow(line: Line, link: string): Promise<Buffer> {
  const { host, pathname, search } = new URL(link);
  const reply = await send(line.origin, { method: 'GET', host, path: pathname + search });
  assert.equal(reply.status, 200);
  return reply.body;
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${what} did not appear`);
}

export async function standInForPikPakApi(scene: Scene): Promise<void> {
  const client = await connectPikPakApi(lineTo(scene), credentials(scene.person));
  const { file } = await client.mkdir('stand-in');
  await scene.pause();
  assert.ok((await client.list('')).files.some(({ id }) => id === file.id));
  await client.star([file.id]);
  assert.deepEqual(
    (await client.list('*', { system_tag: { in: 'STAR' } })).files.map(({ id }) => id),
    [file.id],
  );
  assert.deepEqual(await client.invite(), await client.invite());
  await client.vip();
  await client.transfers();
  await client.events();
}

export async function standInForRclone(scene: Scene): Promise<void> {
  const line = lineTo(scene);
  const rclone = await connectRclone(line, credentials(scene.person));
  const nest = await rclone.mkdir('', 'nest');
  await rclone.put(nest, 'empty.txt', Buffer.alloc(0));
  const content = randomBytes(5 * MIB);
  const small = await rclone.put(nest, 'small.bin', content);
  const large = await rclone.put(nest, 'large.bin', randomBytes(50 * MIB), 5 * MIB);
  assert.ok((await rclone.get(small)).equals(content));
  await scene.pause();
  await rclone.move([large], '');
  await rclone.rename(large, 'renamed.bin');
  await rclone.copy([large], nest);
  await rclone.about();
  await rclone.userInfo();
  await rclone.link(nest);
  await rclone.addUrl(scene.source.at('/feather.bin'), nest);
  await until(
    async () => (await rclone.list(nest)).some(({ name }) => name === 'feather.bin'),
    'what was fetched',
  );
  await rclone.trash([nest]);
  await rclone.cleanup();
  await rclone.remove([large]);
  assert.deepEqual(await rclone.list(''), []);
}

/** Both drivers, with each platform that the first one can emulate. */
export async function standInForOpenList(scene: Scene): Promise<void> {
  for (const platform of ['web', 'android'] as const) {
    const line = lineTo(scene);
    const openlist = await connectOpenList(line, { ...credentials(scene.person), platform });
    await openlist.mkdir('', `mounted as ${platform}`);
    const mounted = (await openlist.list('')).find(({ name }) => name === `mounted as ${platform}`)!.id;
    const content = randomBytes(5 * MIB);
    await openlist.put(mounted, 'whole.bin', content);
    await openlist.put(mounted, 'parts.bin', randomBytes(30 * MIB), 10 * MIB);
    const whole = (await openlist.list(mounted)).find(({ name }) => name === 'whole.bin')!.id;
    assert.ok((await follow(line, await openlist.link(whole))).equals(content));
    await scene.pause();
    await openlist.rename(whole, 'renamed.bin');
    await openlist.details();
    const { task } = await openlist.fetch(scene.source.at('/feather.bin'), mounted);
    await until(
      async () =>
        (await openlist.tasks()).tasks.some(
          ({ id, phase }) => id === task.id && phase === 'PHASE_TYPE_COMPLETE',
        ),
      'the end of the task',
    );
    await openlist.forget([task.id]);

    const { share_id: shareId } = await (await connectRclone(line, credentials(scene.person))).link(mounted);
    const share = await connectShare(lineTo(scene), { shareId, platform });
    const [root] = await share.list('');
    const files = await share.list(root!.id);
    assert.ok(files.some(({ name }) => name === 'renamed.bin'));
    const link = await share.link(files.find(({ name }) => name === 'renamed.bin')!.id);
    assert.ok((await follow(line, link)).equals(content));
    await openlist.remove(mounted);
  }
}
