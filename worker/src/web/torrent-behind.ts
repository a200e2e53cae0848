import { readMagnet, writeMagnet, type SourceFacts } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import type { HttpSession } from './http-session.ts';
import { bodyOf, type BodyOptions } from './body.ts';
import { decoded } from './decoding.ts';
import type { FirstResponse } from './first-request.ts';
import { MOST_TORRENT_BYTES } from './timeouts.ts';
import { lastSegment } from './source-name.ts';
import { sourceOf } from './source.ts';

/** Returns the facts of a magnet link, without files; the torrent engine fetches the metadata later. */
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

/** Returns whether a response claims to be a .torrent file. */
export function seemsTorrent({ response, source }: FirstResponse, requested: URL): boolean {
  if ((source.size ?? 0) > MOST_TORRENT_BYTES) return false;
  const names = [source.name, lastSegment(requested)];
  return (
    TORRENT_TYPE.test(response.header('content-type') ?? '') ||
    names.some((name) => name.toLowerCase().endsWith('.torrent'))
  );
}

/** Returns the facts of the .torrent file at an address; undefined if it is an ordinary file. */
export async function torrentBehind(
  session: HttpSession,
  requested: URL,
  reading: BodyOptions,
  readTorrent: (bytes: Uint8Array) => SourceFacts,
): Promise<SourceFacts | undefined> {
  const response = await session.send({}, reading.signal);
  const { encoding } = sourceOf(response, requested);
  const body = bodyOf(response, reading);
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
