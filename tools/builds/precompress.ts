import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressible = new Set(['.js', '.mjs', '.css', '.svg', '.json', '.wasm', '.txt', '.webmanifest']);
const worthIt = 1024;

/**
 * Writes a .br and a .gz file beside every text asset, once per build, so that requests don't need to compress
 * anything.
 */
export async function precompress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.has(extname(entry.name)));
  await Promise.all(files.map((file) => compressBeside(join(file.parentPath, file.name))));
}

async function compressBeside(file: string): Promise<void> {
  const plain = await readFile(file);
  if (plain.length < worthIt) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params }),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  if (brotli.length < plain.length) await writeFile(`${file}.br`, brotli);
  if (gzipped.length < plain.length) await writeFile(`${file}.gz`, gzipped);
}

if (import.meta.main) await precompress(process.argv[2]!);
