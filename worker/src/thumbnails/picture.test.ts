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

async function picture(bytes: Buffer, mime: string): Promise<Buffer> {
  const name = `${(samples += 1)}`;
  const target = `thumbnail/${name}`;
  await storage.put(`blob/${name}`, bytes);
  await pictures.make({ source: `blob/${name}`, target, kind: 'image', mime, box: 256 });
  return Buffer.concat(await (await storage.open(target)).stream.toArray());
}

async function made(bytes: Buffer, mime = 'image/png'): Promise<[number, number]> {
  const { width, height } = await sharp(await picture(bytes, mime)).metadata();
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

const svg = (content: string, size = 'width="24" height="12"'): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`,
  );

describe('a drawing (SVG)', () => {
  test('fills its thumbnail, however small its own size is', async () => {
    expect(await made(svg('<rect width="24" height="12" fill="red"/>'), 'image/svg+xml')).toEqual([256, 128]);
    expect(await made(svg('<rect width="9" height="9"/>', 'viewBox="0 0 9 9"'), 'image/svg+xml')).toEqual([
      256, 256,
    ]);
  });

  test('doesn’t show files of the server', async () => {
    const secret = join(folder, 'secret.png');
    await noise().resize(24, 12).toFile(secret);
    for (const address of [`file://${secret}`, secret, 'secret.png']) {
      const shown = await picture(
        svg(`<image width="24" height="12" href="${address}" xlink:href="${address}"/>`),
        'image/svg+xml',
      );
      const { channels } = await sharp(shown).stats();
      expect(channels.at(-1)!.max, address).toBe(0);
    }
  });

  test('is rejected if it is called otherwise or too large', async () => {
    await expect(made(svg('<rect width="9" height="9"/>'))).rejects.toThrow('not decoded');
    await expect(made(svg(' '.repeat(3e6)), 'image/svg+xml')).rejects.toThrow('too many bytes');
    await expect(made(svg('', 'width="99999" height="99999"'), 'image/svg+xml')).rejects.toThrow('too many');
  });
});

describe('a camera raw picture', () => {
  /** A TIFF with its orientation, a small picture, lossless data and a large picture, as cameras write them. */
  const raw = async (orientation: number): Promise<Buffer> => {
    const small = await noise().resize(160, 120).jpeg().toBuffer();
    const lossless = Buffer.from(await noise().jpeg().toBuffer());
    lossless[lossless.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc3;
    const head = Buffer.from([
      0x49,
      0x49,
      42,
      0,
      8,
      0,
      0,
      0,
      1,
      0,
      0x12,
      1,
      3,
      0,
      1,
      0,
      0,
      0,
      orientation,
      0,
      0,
      0,
    ]);
    return Buffer.concat([head, small, lossless, await noise().jpeg().toBuffer(), Buffer.alloc(5000, 0xa5)]);
  };

  test('has a thumbnail of the largest picture in it, turned upright', async () => {
    expect(await made(await raw(1), 'image/x-raw')).toEqual([256, 192]);
    expect(await made(await raw(6), 'image/x-raw')).toEqual([192, 256]);
  });

  test('without one has no thumbnail', async () => {
    await expect(made(Buffer.alloc(5000, 0xa5), 'image/x-raw')).rejects.toThrow();
    await expect(made(Buffer.alloc(5000, 0xff), 'image/heic')).rejects.toThrow();
  });
});
