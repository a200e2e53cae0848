import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobStore, type BlobStore } from '@bowerbird/storage';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPictures, type Pictures } from './picture.ts';

let folder: string;
let storage: BlobStore;
let pictures: Pictures;
let samples = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-pictures-'));
  storage = await openBlobStore(folder);
  pictures = createPictures(storage, '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const [WIDTH, HEIGHT] = [640, 480];
/** A picture whose rows all differ. */
const noise = (channels: 3 | 4 = 3): Sharp => {
  const raw = Buffer.alloc(WIDTH * HEIGHT * channels);
  for (let at = 0; at < raw.length; at++) raw[at] = (at * 7919) >> 5;
  return sharp(raw, { raw: { width: WIDTH, height: HEIGHT, channels } });
};

async function made(bytes: Buffer): Promise<[number, number]> {
  const name = `${(samples += 1)}`;
  const target = `thumbnail/${name}`;
  await storage.put(`blob/${name}`, bytes);
  await pictures.make({ source: `blob/${name}`, target, kind: 'image', mime: 'image/png', box: 256 });
  const { stream } = await storage.open(target);
  const { width, height } = await sharp(Buffer.concat(await stream.toArray())).metadata();
  return [width, height];
}

/** A JPEG that declares a wrong size. */
async function saying(width: number, height: number, progressive = false): Promise<Buffer> {
  const bytes = await noise().jpeg({ progressive }).toBuffer();
  const at = bytes.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]));
  bytes.writeUInt16BE(height, at + 5);
  bytes.writeUInt16BE(width, at + 7);
  return bytes;
}

describe.each([
  ['JPEG', () => noise().jpeg()],
  ['progressive JPEG', () => noise().jpeg({ progressive: true })],
  ['PNG', () => noise().png()],
  ['WebP', () => noise().webp()],
  ['WebP that can be seen through', () => noise(4).webp()],
  ['GIF', () => noise().gif()],
] as const)('a %s', (_, make) => {
  test.each([0, 0.001, 0.1, 0.5])('without its last %f has a thumbnail of the rest', async (missing) => {
    const bytes = await make().toBuffer();
    const cut = Math.ceil(bytes.length * missing);
    expect(await made(bytes.subarray(0, bytes.length - cut))).toEqual([256, 192]);
  });
});

test.each([
  ['of 200 megapixels, as phones take them', 16_320, 12_240],
  ['of 108 megapixels', 12_000, 9000],
])('a JPEG %s has a thumbnail', async (_, width, height) => {
  expect(await made(await saying(width, height))).toEqual([256, 192]);
});

test('a picture that would take too much memory is rejected', async () => {
  await expect(made(await saying(60_000, 60_000))).rejects.toThrow('too many');
  await expect(made(await saying(16_320, 12_240, true))).rejects.toThrow('too many');
});

test.each([
  ['CMYK', () => noise().toColourspace('cmyk').jpeg()],
  ['16 bits', () => noise().toColourspace('rgb16').png()],
  ['grey', () => noise().greyscale().jpeg()],
  ['TIFF', () => noise().tiff()],
  ['AVIF', () => noise().avif({ effort: 0 })],
] as const)('a picture in %s has a thumbnail', async (_, make) => {
  expect(await made(await make().toBuffer())).toEqual([256, 192]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a picture with orientation %d is set upright', async (orientation) => {
  const bytes = await noise().withMetadata({ orientation }).jpeg().toBuffer();
  expect(await made(bytes)).toEqual(orientation < 5 ? [256, 192] : [192, 256]);
});

test('a picture with an invalid orientation is left unchanged', async () => {
  const bytes = await noise().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const at = bytes.indexOf(Buffer.from([0x12, 0x01, 0x03, 0x00]));
  const big = bytes.indexOf(Buffer.from([0x01, 0x12, 0x00, 0x03]));
  if (at >= 0) bytes.writeUInt16LE(42, at + 8);
  else bytes.writeUInt16BE(42, big + 8);
  expect(await made(bytes)).toEqual([256, 192]);
});
