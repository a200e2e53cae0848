import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../foundation/index.ts';
import { createThumbnailer, hasFfmpeg, ThumbnailerBusy } from './thumbnailer.ts';

const program = join(import.meta.dirname, '../../../testing/programs/frail-worker.ts');
const open = () =>
  createThumbnailer({ program, storage: 'none', path: '', log: createLog('silent'), orderMs: 1500 });
let thumbnailer = open();
afterEach(async () => {
  await thumbnailer.close();
  thumbnailer = open();
});
const make = (source: string) =>
  thumbnailer.make({ source, target: 't', kind: 'image', mime: 'image/png', box: 1 });

test('a file that crashes the decoder has no thumbnail, and the next file is decoded', async () => {
  expect(
    await Promise.all([make('good'), make('deadly'), make('bad'), make('deadly'), make('good')]),
  ).toEqual([true, false, false, false, true]);
});

test('decoding that never finishes is aborted after its timeout', async () => {
  const started = performance.now();
  expect(await Promise.all([make('endless'), make('good')])).toEqual([false, true]);
  expect(performance.now() - started).toBeGreaterThan(1400);
});

test('a decoder killed from outside while it decodes a valid file is restarted for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-decoder-'));
  const marker = join(folder, 'died');
  expect(await make(`dies-once ${marker}`)).toBe(true);
  await rm(folder, { recursive: true });
});

test('a decoder process that can’t start, or never becomes ready, keeps nobody waiting', async () => {
  for (const absent of [
    '/nowhere/at-all.ts',
    join(import.meta.dirname, '../../../testing/programs/mute-worker.ts'),
  ]) {
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

test('the queue is limited, and empty when the server stops', async () => {
  const many = Array.from({ length: 250 }, () => make('good').catch((error: unknown) => error));
  const results = await Promise.all(many);
  expect(results.filter((result) => result instanceof ThumbnailerBusy).length).toBeGreaterThan(0);
  const waiting = make('endless');
  await Promise.all([expect(waiting).rejects.toBeInstanceOf(ThumbnailerBusy), thumbnailer.close()]);
  await expect(make('good')).rejects.toBeInstanceOf(ThumbnailerBusy);
});

test('video thumbnails are off if ffmpeg is not installed', () => {
  expect(hasFfmpeg('/nowhere')).toBe(false);
  expect(hasFfmpeg('')).toBe(false);
});
