import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../foundation/index.ts';
import { createThumbnailer, hasFfmpeg, ThumbnailerBusy } from './thumbnailer.ts';

const program = join(import.meta.dirname, '../../../testing/frail-worker.ts');
const open = () =>
  createThumbnailer({ program, storage: 'none', path: '', log: createLog('silent'), orderMs: 1500 });
let thumbnailer = open();
afterEach(async () => {
  await thumbnailer.close();
  thumbnailer = open();
});
const make = (source: string) =>
  thumbnailer.make({ source, target: 't', kind: 'image', mime: 'image/png', box: 1 });

test('a file that kills the decoder has no picture, and the next one is decoded all the same', async () => {
  expect(
    await Promise.all([make('good'), make('deadly'), make('bad'), make('deadly'), make('good')]),
  ).toEqual([true, false, false, false, true]);
});

test('a file that never ends decoding is given up after its time', async () => {
  const started = performance.now();
  expect(await Promise.all([make('endless'), make('good')])).toEqual([false, true]);
  expect(performance.now() - started).toBeGreaterThan(1400);
});

test('a decoder that is killed from outside over a good file is started again for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-decoder-'));
  const marker = join(folder, 'died');
  expect(await make(`dies-once ${marker}`)).toBe(true);
  await rm(folder, { recursive: true });
});

test('a process that can not be started, or never comes up, keeps nobody waiting', async () => {
  for (const absent of ['/nowhere/at-all.ts', join(import.meta.dirname, '../../../testing/mute-worker.ts')]) {
    const broken = createThumbnailer({
      program: absent,
      storage: 'none',
      path: '',
      log: createLog('silent'),
      startMs: 1000,
    });
    const order = { source: 'good', target: 't', kind: 'image', mime: 'image/png', box: 1 } as const;
    await expect(broken.make(order)).rejects.toBeInstanceOf(ThumbnailerBusy);
    await broken.close();
  }
});

test('only so many wait, and none when the server stops', async () => {
  const many = Array.from({ length: 250 }, () => make('good').catch((error: unknown) => error));
  const results = await Promise.all(many);
  expect(results.filter((result) => result instanceof ThumbnailerBusy).length).toBeGreaterThan(0);
  const waiting = make('endless');
  await Promise.all([expect(waiting).rejects.toBeInstanceOf(ThumbnailerBusy), thumbnailer.close()]);
  await expect(make('good')).rejects.toBeInstanceOf(ThumbnailerBusy);
});

test('films have pictures where this machine can take frames', () => {
  expect(hasFfmpeg('/nowhere')).toBe(false);
  expect(hasFfmpeg('')).toBe(false);
});
