import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pictureFacts } from './picture-facts.ts';

type Field = readonly [tag: number, type: number, values: string | readonly number[]];

/** A TIFF structure with an EXIF and a GPS directory. */
function tiff(
  main: readonly Field[],
  exif: readonly Field[],
  gps: readonly Field[],
  little = true,
): Uint8Array {
  const bytes = new Uint8Array(4096);
  const view = new DataView(bytes.buffer);
  let free = 1024;
  const directory = (at: number, fields: readonly Field[]): void => {
    view.setUint16(at, fields.length, little);
    for (const [index, [tag, type, values]] of fields.entries()) {
      const entry = at + 2 + index * 12;
      const size = type === 5 || type === 10 ? 8 : type === 3 ? 2 : type === 4 ? 4 : 1;
      const count = values.length;
      view.setUint16(entry, tag, little);
      view.setUint16(entry + 2, type, little);
      view.setUint32(entry + 4, count, little);
      let place = entry + 8;
      if (size * count > 4) {
        view.setUint32(entry + 8, free, little);
        place = free;
        free += size * count;
      }
      for (let at = 0; at < count; at += 1) {
        const value = typeof values === 'string' ? values.charCodeAt(at) : values[at]!;
        const to = place + at * size;
        if (size === 8) {
          view.setUint32(to, Math.round(value * 1000), little);
          view.setUint32(to + 4, 1000, little);
        } else if (size === 4) view.setUint32(to, value, little);
        else if (size === 2) view.setUint16(to, value, little);
        else view.setUint8(to, value);
      }
    }
  };
  bytes.set(little ? [0x49, 0x49, 42, 0] : [0x4d, 0x4d, 0, 42]);
  view.setUint32(4, 8, little);
  directory(8, [...main, [0x8769, 4, [300]], [0x8825, 4, [600]]]);
  directory(300, exif);
  directory(600, gps);
  return bytes;
}

const MAIN: readonly Field[] = [
  [0x10f, 2, 'NIKON CORPORATION\0'],
  [0x110, 2, 'NIKON Z 6\0'],
  [0x112, 3, [6]],
];
const SHOT: readonly Field[] = [
  [0x829a, 5, [0.004]],
  [0x829d, 5, [2.8]],
  [0x8827, 3, [400]],
  [0x9003, 2, '2026:07:14 10:20:30\0'],
  [0x9011, 2, '+02:00\0'],
  [0x920a, 5, [35]],
  [0xa434, 2, '35mm \u0007f/2\0'],
];
const PLACE: readonly Field[] = [
  [1, 2, 'N\0'],
  [2, 5, [48, 51, 30]],
  [3, 2, 'W\0'],
  [4, 5, [2, 17, 40.2]],
];
const FACTS = {
  orientation: 6,
  taken: '2026-07-14T10:20:30+02:00',
  camera: 'NIKON Z 6',
  lens: '35mm f/2',
  exposureSeconds: 0.004,
  aperture: 2.8,
  iso: 400,
  focalLength: 35,
};

/** A JPEG of 640 × 480 pixels with EXIF data, as far as its headers go. */
function jpeg(exif: Uint8Array): Uint8Array {
  const length = exif.length + 8;
  const marked = [0xff, 0xe1, length >> 8, length & 0xff, 0x45, 0x78, 0x69, 0x66, 0, 0];
  const frame = [0xff, 0xc0, 0, 11, 8, 480 >> 8, 480 & 0xff, 640 >> 8, 640 & 0xff, 1, 1, 0x11, 0];
  return Uint8Array.from([0xff, 0xd8, ...marked, ...exif, ...frame, ...Array.from({ length: 20 }, () => 0)]);
}

describe.each([
  ['little', true],
  ['big', false],
] as const)('in %s-endian order', (_, little) => {
  test('the facts of a photo are read, its size as it is shown', () => {
    const facts = pictureFacts(jpeg(tiff(MAIN, SHOT, PLACE, little)));
    expect(facts).toMatchObject({ ...FACTS, width: 480, height: 640 });
    expect(facts.latitude).toBeCloseTo(48.8583, 3);
    expect(facts.longitude).toBeCloseTo(-2.2945, 3);
  });
});

test('a camera raw picture and a HEIC have them as well', () => {
  expect(pictureFacts(tiff(MAIN, SHOT, []))).toMatchObject(FACTS);
  const heic = Uint8Array.from([
    ...Array.from({ length: 700 }, () => 7),
    ...[0x45, 0x78, 0x69, 0x66, 0, 0],
    ...tiff(MAIN, SHOT, []),
  ]);
  expect(pictureFacts(heic)).toMatchObject(FACTS);
});

test('a place of zeros, a date of zeros and impossible numbers are no facts', () => {
  const shot: readonly Field[] = [
    [0x9003, 2, '0000:00:00 00:00:00\0'],
    [0x829d, 5, [0]],
    [0x8827, 3, [0]],
  ];
  const nowhere: readonly Field[] = [
    [1, 2, 'N\0'],
    [2, 5, [0, 0, 0]],
    [3, 2, 'E\0'],
    [4, 5, [0, 0, 0]],
  ];
  expect(pictureFacts(tiff([], shot, nowhere))).toEqual({});
});

test('any bytes can be passed, and every beginning of a photo', () => {
  const photo = jpeg(tiff(MAIN, SHOT, PLACE));
  for (let end = 0; end < photo.length; end += 7) expect(pictureFacts(photo.subarray(0, end))).toBeDefined();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), (noise, at) => {
      const broken = tiff(MAIN, SHOT, PLACE);
      broken.set(noise.subarray(0, 60), 8 + (at % 700));
      expect(pictureFacts(noise)).toBeDefined();
      expect(pictureFacts(jpeg(broken))).toBeDefined();
    }),
  );
});
