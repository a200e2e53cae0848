import { execFileSync } from 'node:child_process';
import { open, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unpacked } from '../../testing/archives/raw-zip.ts';
import { zip, type ZipEntry } from './zip.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-zip-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const when = Date.UTC(2026, 10, 27, 12, 0, 42);
const file = (path: string, ...chunks: (string | Uint8Array)[]): ZipEntry => {
  const bytes = chunks.map((chunk) => Buffer.from(chunk));
  return {
    path,
    modifiedAt: when,
    content: {
      size: bytes.reduce((size, chunk) => size + chunk.length, 0),
      open: async () =>
        (async function* () {
          yield* bytes;
        })(),
    },
  };
};
const directory = (path: string): ZipEntry => ({ path, modifiedAt: when });
async function* listed(...entries: ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* entries;
}
const collected = async (entries: AsyncIterable<ZipEntry>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(zip(entries)));

const python = (code: string): string =>
  execFileSync('python3', ['-c', `import zipfile, json\n${code}`], {
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  }).toString();

const tree = () =>
  listed(
    directory('empty'),
    file('empty-file.txt'),
    directory('ünïcode 文件夹'),
    file('ünïcode 文件夹/🐦 100% "quoted" <script>.txt', 'a bird', ' in the hand'),
    file('ünïcode 文件夹/‮rtl.txt', 'right to left'),
    file('-rf *', 'a name that a shell would misread'),
  );
const expected = {
  'empty/': '',
  'empty-file.txt': '',
  'ünïcode 文件夹/': '',
  'ünïcode 文件夹/🐦 100% "quoted" <script>.txt': 'a bird in the hand',
  'ünïcode 文件夹/‮rtl.txt': 'right to left',
  '-rf *': 'a name that a shell would misread',
};

test('folders, empty folders, empty files and names in all scripts are stored unchanged', async () => {
  expect(unpacked(await collected(tree()))).toEqual(expected);
});

test('a download of nothing is an empty archive', async () => {
  expect(unpacked(await collected(listed()))).toEqual({});
});

test('a file that ends early fails the archive instead of truncating it', async () => {
  const short = file('short.bin', 'abc');
  await expect(collected(listed({ ...short, content: { ...short.content!, size: 5 } }))).rejects.toThrow(
    RangeError,
  );
});

test('files are opened one at a time, and closed when the reader closes', async () => {
  const story: string[] = [];
  const watched = (name: string): ZipEntry => ({
    path: name,
    modifiedAt: when,
    content: {
      size: 2,
      open: async () => {
        story.push(`open ${name}`);
        return (async function* () {
          try {
            yield Buffer.from('x');
            yield Buffer.from('y');
          } finally {
            story.push(`close ${name}`);
          }
        })();
      },
    },
  });
  const stream = zip(listed(watched('a'), watched('b')));
  await stream.next();
  expect(story).toEqual([]);
  await stream.next();
  expect(story).toEqual(['open a']);
  await stream.return();
  expect(story).toEqual(['open a', 'close a']);
});

describe('unzip', () => {
  test('accepts the zip and finds the same files', async () => {
    const archive = join(folder, 'tree.zip');
    await writeFile(archive, await collected(tree()));
    expect(execFileSync('unzip', ['-t', archive]).toString()).toContain('No errors detected');
    expect(execFileSync('unzip', ['-p', archive, '-rf *']).toString()).toBe(
      'a name that a shell would misread',
    );
  });

  test('accepts a file larger than 4 GiB and the entries after it', { timeout: 180_000 }, async () => {
    const zeros = Buffer.alloc(2 ** 22);
    const size = 2 ** 32 + 2 ** 23;
    const large: ZipEntry = {
      path: 'large.bin',
      modifiedAt: when,
      content: {
        size,
        open: async () =>
          (async function* () {
            for (let given = 0; given < size; given += zeros.length) yield zeros;
          })(),
      },
    };
    const archive = join(folder, 'large.zip');
    await using target = await open(archive, 'w');
    let position = 0;
    for await (const chunk of zip(listed(large, file('behind.txt', 'still here')))) {
      // Zeros become holes, so that the test needs no disk space.
      if (chunk !== zeros) await target.write(chunk, 0, chunk.length, position);
      position += chunk.length;
    }
    expect(execFileSync('unzip', ['-Zl', archive, 'large.bin']).toString()).toContain(String(size));
    expect(execFileSync('unzip', ['-p', archive, 'behind.txt']).toString()).toBe('still here');
    // Python checks the whole zip, because unzip takes half a minute for what Python does in five seconds.
    expect(
      python(
        `z = zipfile.ZipFile(${JSON.stringify(archive)}); print(z.testzip(), z.getinfo("large.bin").file_size)`,
      ),
    ).toBe(`None ${size}\n`);
  });
});

describe('Python', () => {
  test('reads the same names and contents', async () => {
    const archive = join(folder, 'python.zip');
    await writeFile(archive, await collected(tree()));
    const read = python(
      `z = zipfile.ZipFile(${JSON.stringify(archive)}); assert z.testzip() is None; print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))`,
    );
    expect(JSON.parse(read)).toEqual(expected);
  });

  test('counts more than 65,535 entries', async () => {
    const archive = join(folder, 'many.zip');
    const many = (async function* () {
      for (let at = 0; at < 70_000; at++)
        yield at % 7 === 0 ? directory(`folder ${at}`) : file(`file ${at}.txt`, String(at));
    })();
    await writeFile(archive, zip(many));
    expect(
      python(
        `z = zipfile.ZipFile(${JSON.stringify(archive)}); print(len(z.namelist()), z.read("file 69999.txt").decode())`,
      ),
    ).toBe('70000 69999\n');
  });
});
