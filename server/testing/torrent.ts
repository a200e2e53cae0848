import { createHash } from 'node:crypto';
import { writeMagnet } from '@bowerbird/contract';

type Value = number | string | Buffer | readonly Value[] | { readonly [key: string]: Value };

function bencode(value: Value): Buffer {
  if (typeof value === 'number') return Buffer.from(`i${value}e`);
  if (typeof value === 'string' || Buffer.isBuffer(value)) {
    const bytes = Buffer.from(value as string);
    return Buffer.concat([Buffer.from(`${bytes.length}:`), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from('l'), ...value.map(bencode), Buffer.from('e')]);
  const entries = Object.entries(value as Record<string, Value>)
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .flatMap(([key, entry]) => [bencode(key), bencode(entry)]);
  return Buffer.concat([Buffer.from('d'), ...entries, Buffer.from('e')]);
}

export interface MadeTorrent {
  readonly file: Buffer;
  readonly infoHash: string;
  readonly magnet: string;
}

const PIECE = 16 * 1024;

/** Creates a .torrent for several files that a web server serves as `<seed><name>/<path…>`. */
export function makeTorrent(
  name: string,
  files: readonly { readonly path: readonly string[]; readonly content: Buffer }[],
  { webSeed, createdAt }: { webSeed: string; createdAt?: number },
): MadeTorrent {
  const all = Buffer.concat(files.map(({ content }) => content));
  const pieces: Buffer[] = [];
  for (let at = 0; at < all.length; at += PIECE)
    pieces.push(
      createHash('sha1')
        .update(all.subarray(at, at + PIECE))
        .digest(),
    );
  const info = {
    name,
    'piece length': PIECE,
    pieces: Buffer.concat(pieces),
    files: files.map(({ path, content }) => ({ length: content.length, path })),
  };
  const infoHash = createHash('sha1').update(bencode(info)).digest('hex');
  return {
    file: bencode({
      info,
      'url-list': [webSeed],
      ...(createdAt === undefined ? {} : { 'creation date': createdAt / 1000 }),
    }),
    infoHash,
    magnet: writeMagnet({ infoHash, name, trackers: [], webSeeds: [webSeed] }),
  };
}
