import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

/** Real files of common kinds, created once for all journeys. */
export interface RealFiles {
  readonly photo: string;
  readonly video: string;
  readonly pdf: string;
  readonly text: string;
  /** 300 MB of incompressible bytes. */
  readonly large: string;
  /** A folder of 2,000 files with extremely unusual names. */
  readonly folder: string;
}

const FOLDER = join(tmpdir(), 'bowerbird-real-files');
const LARGE_MB = 300;
export const FOLDER_FILES = 2000;

/** Names that have broken products of this kind, one of each kind. */
export const ODD_NAMES = [
  '100% sure + more.txt',
  '#1 hit?.txt',
  'a&b=c;d.txt',
  '"double" \'single\'.txt',
  '[brackets] {braces} (round).txt',
  'line\nfeed.txt',
  '🐦 bower 🪶.txt',
  '\u202eright-to-left.txt',
  '<script>alert(1).txt',
  'Ünïcödé – naïve café.txt',
  '日本語のファイル.txt',
  '한국어 파일.txt',
  'файл с пробелами.txt',
  '%2e%2e%2f.txt',
  '.hidden',
  'no extension',
  'trailing space .txt',
  '  leading.txt',
  `${'long '.repeat(48)}end.txt`,
  'tilde~name.txt',
  'percent%20encoded.txt',
] as const;

export async function realFiles(): Promise<RealFiles> {
  mkdirSync(FOLDER, { recursive: true });
  const at = (name: string): string => join(FOLDER, name);
  const files: RealFiles = {
    photo: at('Bower in the forest.jpg'),
    video: at('Dance.mp4'),
    pdf: at('Field notes.pdf'),
    text: at('README.md'),
    large: at('Recording.bin'),
    folder: at('Collected things'),
  };
  if (!existsSync(files.photo)) writeFileSync(files.photo, await photo());
  if (!existsSync(files.video)) film(files.video);
  if (!existsSync(files.pdf)) writeFileSync(files.pdf, pdf('Field notes'));
  if (!existsSync(files.text)) writeFileSync(files.text, '# Bowers\n\nWhat they **collect**: blue things.\n');
  if (!existsSync(files.large)) await large(files.large);
  if (!existsSync(files.folder)) oddFolder(files.folder);
  return files;
}

async function photo(): Promise<Buffer> {
  const [width, height] = [1600, 1200];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      pixels[at] = (x * 255) / width;
      pixels[at + 1] = 90 + ((x ^ y) & 63);
      pixels[at + 2] = (y * 255) / height;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
}

function film(path: string): void {
  const made = spawnSync('ffmpeg', [
    '-loglevel',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc=duration=4:size=640x360:rate=15',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:duration=4',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
    path,
  ]);
  if (made.status !== 0) throw new Error(`ffmpeg could not create the video: ${String(made.stderr)}`);
}

/** A one-page PDF, written by hand with its cross-reference table. */
function pdf(title: string): Buffer {
  const page = `BT /F1 32 Tf 72 700 Td (${title}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}`;
  return Buffer.from(
    `${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`,
  );
}

async function large(path: string): Promise<void> {
  const file = await open(path, 'w');
  for (let mb = 0; mb < LARGE_MB; mb++) await file.write(randomBytes(2 ** 20));
  await file.close();
}

function oddFolder(path: string): void {
  mkdirSync(join(path, 'empty folder'), { recursive: true });
  mkdirSync(join(path, 'deep', 'deeper'), { recursive: true });
  for (const name of ODD_NAMES) writeFileSync(join(path, name), `This is ${JSON.stringify(name)}.\n`);
  writeFileSync(join(path, 'deep', 'deeper', 'zero bytes'), '');
  for (let n = ODD_NAMES.length + 1; n < FOLDER_FILES; n++)
    writeFileSync(join(path, 'deep', `find ${n}.txt`), `find number ${n}\n`);
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
