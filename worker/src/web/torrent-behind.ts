import { readMagnet, writeMagnet, type SourceFacts } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import type { Asking } from './asking.ts';
import { bodyOf, type Reading } from './body.ts';
import { decoded } from './decoding.ts';
import type { Opened } from './opening.ts';
import { MOST_TORRENT_BYTES } from './patience.ts';
import { lastSegment } from './source-name.ts';
import { sourceOf } from './source.ts';

/** The facts of a torrent of which only a magnet link is known: what is in it is for whoever fetches it to find out. */
export function factsOfMagnet(link: string): SourceFacts {
  const magnet = readMagnet(link);
  if (!magnet) throw new FetchFailed('link_unsupported', { final: true });
  const { infoHash, name } = magnet;
  return {
    kind: 'torrent',
    name: name || infoHash,
    files: [],
    torrent: { infoHash, magnet: writeMagnet(magnet, MOST_ADDRESSES), file: '' },
  };
}

const MOST_ADDRESSES = 50;
const TORRENT_TYPE = /^\s*application\/x-bittorrent\b/i;

/** Whether an address leads to what calls itself a .torrent file. */
export function seemsTorrent({ answer, source }: Opened, requested: URL): boolean {
  if ((source.size ?? 0) > MOST_TORRENT_BYTES) return false;
  const names = [source.name, lastSegment(requested)];
  return (
    TORRENT_TYPE.test(answer.header('content-type') ?? '') ||
    names.some((name) => name.toLowerCase().endsWith('.torrent'))
  );
}

/** The torrent that an address leads to; undefined where the bytes are something else, which is a file like any other. */
export async function torrentBehind(
  asking: Asking,
  requested: URL,
  reading: Reading,
  readTorrent: (bytes: Uint8Array) => SourceFacts,
): Promise<SourceFacts | undefined> {
  const answer = await asking.ask({}, reading.signal);
  const { encoding } = sourceOf(answer, requested);
  const body = bodyOf(answer, reading);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of encoding ? decoded(body, encoding) : body) {
    size += chunk.byteLength;
    if (size > MOST_TORRENT_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return readTorrent(Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof FetchFailed) return undefined;
    throw error;
  }
}
