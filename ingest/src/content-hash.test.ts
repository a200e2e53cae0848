import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gcidBlockSize } from '@bowerbird/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assembleBlocks, type HashedPart } from './content-hash.ts';
import { digestBlocks } from './digest-blocks.ts';
import { createDigests } from './digest-pool.ts';
import { gather } from './landing.ts';
import { createPieceMemory } from './piece-memory.ts';

/** The definition applied literally, to the whole file at once. */
function plainly(bytes: Buffer): { hash: string; gcid: string } {
  const block = gcidBlockSize(bytes.length);
  const sha1 = createHash('sha1');
  const sha256 = createHash('sha256');
  for (let at = 0; at < bytes.length; at += block) {
    sha1.update(
      createHash('sha1')
        .update(bytes.subarray(at, at + block))
        .digest(),
    );
    sha256.update(
      createHash('sha256')
        .update(bytes.subarray(at, at + block))
        .digest(),
    );
  }
  return { hash: sha256.digest('hex'), gcid: sha1.digest('hex').toUpperCase() };
}

/** The result of hashing a part as it arrives, without a storage. */
function hashedPart(
  bytes: Buffer,
  total: number,
  start: number,
  end: number,
  assumed: number | undefined = start,
): HashedPart {
  const block = gcidBlockSize(total);
  if (assumed === undefined) return { size: end - start, position: undefined, digests: new Uint8Array() };
  const first = Math.ceil(assumed / block) * block - assumed;
  const ends = assumed + end - start === total;
  const last = ends ? end - start : Math.floor((assumed + end - start) / block) * block - assumed;
  return {
    size: end - start,
    position: assumed,
    digests:
      last > first ? digestBlocks(bytes.subarray(start + first, start + last), block) : new Uint8Array(),
  };
}

const KIB = 1024;
const content = randomBytes(3 * KIB * KIB + 12_345);

describe('content hashes', () => {
  test('of an empty file are those of no bytes', () => {
    const table = assembleBlocks([]);
    expect(table.missing()).toEqual([]);
    expect(table.content()).toEqual({
      hash: createHash('sha256').digest('hex'),
      gcid: 'DA39A3EE5E6B4B0D3255BFEF95601890AFD80709',
    });
  });

  test('do not depend on how the file was split into parts, nor on the positions assumed for them', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: content.length - 1 }), { maxLength: 12 }),
        fc.array(fc.constantFrom('right', 'wrong', 'none'), { minLength: 13, maxLength: 13 }),
        (cuts, assumptions) => {
          const edges = [0, ...cuts.toSorted((a, b) => a - b), content.length];
          const parts = edges.slice(1).map((end, at) => {
            const start = edges[at]!;
            const assumed =
              assumptions[at] === 'right' ? start : assumptions[at] === 'wrong' ? start + 1 : undefined;
            return hashedPart(content, content.length, start, end, assumed);
          });
          const table = assembleBlocks(parts);
          for (const { start, end } of table.missing())
            table.fill(start, digestBlocks(content.subarray(start, end), table.block));
          expect(table.content()).toEqual(plainly(content));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of parts that consist of whole blocks need no second read', () => {
    const parts = [0, 1, 2, 3].map((at) =>
      hashedPart(content, content.length, at * KIB * KIB, Math.min((at + 1) * KIB * KIB, content.length)),
    );
    expect(assembleBlocks(parts).missing()).toEqual([]);
  });

  test('need a second read only of blocks that were split between parts', () => {
    const middle = 1.5 * 256 * KIB;
    const parts = [
      hashedPart(content, content.length, 0, middle),
      hashedPart(content, content.length, middle, content.length),
    ];
    expect(assembleBlocks(parts).missing()).toEqual([{ start: 256 * KIB, end: 512 * KIB }]);
  });
});

describe('hashing threads', () => {
  test('return the same hashes as hashing in place, for many files at once', async () => {
    const digests = createDigests(2);
    const block = 256 * KIB;
    const pieces = [1, 2, 3, 4, 5].map((times) => {
      const bytes = Buffer.allocUnsafeSlow(times * 300 * KIB);
      randomBytes(bytes.length).copy(bytes);
      return bytes;
    });
    const expected = pieces.map((bytes) => ({
      bytes: Buffer.from(bytes),
      digests: Buffer.from(digestBlocks(bytes, block)),
    }));
    const found = await Promise.all(pieces.map((bytes) => digests.of(bytes, bytes.length, block)));
    expect(
      found.map(({ bytes, digests }) => ({ bytes: Buffer.from(bytes), digests: Buffer.from(digests) })),
    ).toEqual(expected);
    await digests.close();
  });

  test('return the checksums of whole files in addition to their blocks, for many files at once', async () => {
    const digests = createDigests(2);
    const block = 256 * KIB;
    const files = [
      [],
      [5],
      [64 * KIB],
      [300 * KIB, 5],
      [2 ** 20, 2 ** 20, 2 ** 20, 7],
      [400 * KIB, 300 * KIB],
    ];
    await Promise.all(
      files.map(async (sizes) => {
        const summed = digests.summed();
        const whole = { sha1: createHash('sha1'), md5: createHash('md5') };
        for (const size of sizes) {
          const bytes = Buffer.allocUnsafeSlow(size);
          randomBytes(size).copy(bytes);
          whole.sha1.update(bytes);
          whole.md5.update(bytes);
          const expected = Buffer.from(digestBlocks(bytes, block));
          const reply = await digests.of(bytes, size, block, summed);
          expect(Buffer.from(reply.digests)).toEqual(expected);
        }
        expect(await summed.end()).toEqual({ sha1: whole.sha1.digest('hex'), md5: whole.md5.digest('hex') });
      }),
    );
    await digests.close();
  });

  test('match each reply to its request while Node watches files for changes', async () => {
    // Under `node --watch`, Node's loader posts messages of its own from each thread.
    const script = `
      import { createDigests } from ${JSON.stringify(new URL('digest-pool.ts', import.meta.url).href)};
      const digests = createDigests(1);
      const sizes = [1, 2, 3].map((mebibytes) => mebibytes * 2 ** 20);
      const replies = await Promise.all(sizes.map((size) => digests.of(Buffer.allocUnsafeSlow(size), size, 2 ** 20)));
      console.log(JSON.stringify(replies.map(({ bytes }) => bytes?.byteLength)));
      await digests.close();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script], {
      env: { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' },
    });
    expect(JSON.parse(stdout)).toEqual([2 ** 20, 2 * 2 ** 20, 3 * 2 ** 20]);
  });

  test('reject unsupported input and keep working', async () => {
    const digests = createDigests(1);
    const gone = new Uint8Array(2 ** 20);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    await expect(digests.of(gone, 2 ** 20, 2 ** 20)).rejects.toThrow();
    const bytes = Buffer.alloc(2 ** 20, 'a') as Uint8Array<ArrayBuffer>;
    expect((await digests.of(bytes, 2 ** 20, 2 ** 20)).bytes).toHaveLength(2 ** 20);
    await digests.close();
  });

  test('forget a discarded file', async () => {
    const digests = createDigests(1);
    const dropped = digests.summed();
    await digests.of(Buffer.alloc(2 ** 20, 'a') as Uint8Array<ArrayBuffer>, 0, 2 ** 20, dropped);
    dropped.drop();
    const next = digests.summed();
    await digests.of(Buffer.alloc(2 ** 20, 'b') as Uint8Array<ArrayBuffer>, 0, 2 ** 20, next);
    expect((await next.end()).md5).toBe(
      createHash('md5')
        .update(Buffer.alloc(2 ** 20, 'b'))
        .digest('hex'),
    );
    await digests.close();
  });
});

describe('block gathering', () => {
  test('keeps every byte and splits at the file’s blocks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 900_000 }), { maxLength: 8 }),
        fc.integer({ min: 0, max: 3_000_000 }),
        fc.boolean(),
        async (sizes, position, sized) => {
          const chunks = sizes.map((size) => randomBytes(size));
          const all = Buffer.concat(chunks);
          const block = 256 * KIB;
          async function* source() {
            yield* chunks;
          }
          const pieces = await Array.fromAsync(
            gather(source(), createPieceMemory(), { position, block, size: sized ? all.length : undefined }),
          );
          expect(Buffer.concat(pieces).equals(all)).toBe(true);
          let at = position;
          for (const piece of pieces.slice(0, -1)) {
            at += piece.byteLength;
            expect(at % block).toBe(0);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
