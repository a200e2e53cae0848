import { isInfoHash, readMagnet, writeMagnet } from '@bowerbird/contract';

/** Part of an item that may contain the address of its content. */
export interface Offer {
  readonly way: 'enclosure' | 'magnet' | 'media' | 'link' | 'guid' | 'hash';
  readonly url: string;
  readonly base: string;
  readonly type: string;
  readonly size: number | undefined;
}

export interface Target {
  readonly url: string;
  readonly size: number | undefined;
}

const LONGEST = 8192;
/**
 * In some feeds the length of a torrent's enclosure is that of its content, in others that of the .torrent
 * file.
 */
const LARGEST_TORRENT_FILE = 1024 * 1024;

/**
 * Returns the best offer of an item. A torrent is preferred to a file, a file to a picture of it, and
 * anything to the page about it.
 */
export function targetOf(offers: readonly Offer[]): Target | undefined {
  const fetchable = offers.flatMap((offer) => {
    const url = addressOf(offer);
    return url === undefined ? [] : [{ ...offer, url }];
  });
  const best = fetchable.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
  if (!best) return undefined;
  const isTorrentFile = isTorrent(best) && (best.size ?? 0) <= LARGEST_TORRENT_FILE;
  return { url: best.url, size: isTorrentFile ? undefined : best.size };
}

/** Returns the absolute address, if it is of a kind that can be fetched. */
function addressOf({ url, base }: Offer): string | undefined {
  if (url.length > LONGEST) return undefined;
  if (/^magnet:\?/i.test(url)) return url.replace(/\s+/g, '');
  const parsed = URL.parse(url, base);
  return parsed && /^https?:$/.test(parsed.protocol) && parsed.hostname !== '' ? parsed.href : undefined;
}

const isTorrent = ({ url, type }: Offer): boolean =>
  /^magnet:/i.test(url) || /bittorrent/i.test(type) || /\.torrent(?:$|[?#])/i.test(url);
const isPicture = ({ type }: Offer): boolean => /^image/i.test(type);

const WAYS: readonly Offer['way'][] = ['enclosure', 'magnet', 'media', 'link', 'guid'];

function rankOf(offer: Offer): number {
  const way = WAYS.indexOf(offer.way);
  if (offer.way === 'hash') return WAYS.length;
  if (isTorrent(offer)) return way;
  if (offer.way === 'guid') return 40;
  return (offer.way === 'link' ? 30 : isPicture(offer) ? 20 : 10) + way;
}

/** Returns the magnet link for an info-hash. */
export function magnetFor(hash: string | undefined, title: string): string | undefined {
  const text = hash?.trim() ?? '';
  const magnet = isInfoHash(text) ? readMagnet(text) : undefined;
  return magnet && writeMagnet({ ...magnet, name: title });
}
