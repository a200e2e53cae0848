import { readTime } from '@bowerbird/contract';
import { magnetFor, targetOf, type Offer } from './offer.ts';
import { plainText } from './plain-text.ts';

/** Item of a feed. */
export interface FoundItem {
  /** Identifies the item within its feed: its guid, or else its link, or else its title. */
  readonly guid: string;
  readonly title: string;
  /** Address of the content: an absolute web address or a magnet link. */
  readonly url: string | undefined;
  /** Size in bytes. */
  readonly size: number | undefined;
  readonly publishedAt: number | undefined;
}

/** Element within an item. */
export interface Element {
  readonly prefix: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Base of relative addresses in the element. */
  readonly base: string;
  readonly text: string;
}

/** Item that is being parsed. */
export interface Draft {
  /** Handles the start of an element; `depth` is relative to the item. */
  opened(element: Element, depth: number): void;
  /** Handles the end of an element; `parent` is the name of the element that contains it. */
  closed(element: Element, depth: number, parent: string): void;
  item(): FoundItem;
}

const UNITS: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

export function createDraft(about: string | undefined): Draft {
  const offers: Offer[] = [];
  let title = '';
  let guid = about ?? '';
  let link = '';
  let size: number | undefined;
  let hash: string | undefined;
  let publishedAt: number | undefined;
  let updatedAt: number | undefined;

  const offer = (
    way: Offer['way'],
    url: string | undefined,
    base: string,
    more: Partial<Offer> = {},
  ): void => {
    if (url !== undefined && url.trim() !== '' && offers.length < 50)
      offers.push({ way, url: url.trim(), base, type: '', size: undefined, ...more });
  };

  return {
    opened({ prefix, name, attributes, base }, depth) {
      const { url, href, type = '' } = attributes;
      if (name === 'enclosure') {
        offer('enclosure', url ?? href, base, { type, size: bytes(attributes['length']) });
      } else if (prefix === 'media' && name === 'content') {
        const more = { type: type || (attributes['medium'] ?? ''), size: bytes(attributes['fileSize']) };
        offer('media', url, base, more);
      } else if (name === 'attr' && attributes['name'] !== undefined) {
        // Attributes of Torznab and Newznab.
        const { name: what, value } = attributes;
        if (what === 'size') size ??= bytes(value);
        if (what === 'magneturl') offer('magnet', value, base);
        if (what === 'infohash') hash ??= value;
      } else if (name === 'link' && href !== undefined && depth === 1) {
        const rel = attributes['rel'] ?? 'alternate';
        if (rel === 'enclosure') offer('enclosure', href, base, { type, size: bytes(attributes['length']) });
        if (rel !== 'alternate') return;
        link ||= href;
        offer('link', href, base);
      }
    },

    closed({ prefix, name, attributes, base, text }, depth, parent) {
      const isOwn = depth === 1;
      if (!isOwn && parent !== 'torrent') return;
      if (name === 'title' && isOwn && (prefix === '' || title === '')) title = plainText(text) || title;
      else if (name === 'guid' || (name === 'id' && isOwn && prefix === '')) {
        guid ||= text.trim();
        // Many guids that are not addresses are not marked as such.
        if (name === 'guid' && /^\s*(?:https?|magnet):/i.test(text)) offer('guid', text, base);
      } else if (name === 'link' && isOwn && attributes['href'] === undefined) {
        link ||= text.trim();
        offer('link', text, base);
      } else if (name === 'pubdate' || name === 'published' || name === 'date') publishedAt ??= timeOf(text);
      else if (name === 'updated') updatedAt ??= timeOf(text);
      else if (name === 'magneturi') offer('magnet', text, base);
      else if (name === 'infohash') hash ??= text;
      else if (name === 'contentlength' || name === 'size') size ??= bytes(text);
    },

    item() {
      const magnet = magnetFor(hash, title);
      if (magnet !== undefined) offer('hash', magnet, magnet);
      const target = targetOf(offers);
      return {
        guid: (guid || link || target?.url || title).slice(0, 4096),
        title: title || plainText(decodeURIComponentSafely(target?.url ?? link)),
        url: target?.url,
        size: size ?? target?.size,
        publishedAt: publishedAt ?? updatedAt,
      };
    },
  };
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Parses a size, given in bytes or as people write it ("1.4 GiB"); undefined if it is missing, zero or
 * invalid.
 */
function bytes(text: string | undefined): number | undefined {
  const [, number, unit = 'b'] =
    /^\s*(\d{1,15}(?:[.,]\d{1,6})?)\s*(?:([kmgtb])(?:i?b)?(?:ytes)?)?\s*$/i.exec(text ?? '') ?? [];
  if (number === undefined) return undefined;
  const size = Math.round(Number(number.replace(',', '.')) * UNITS[unit.toLowerCase()]!);
  return Number.isSafeInteger(size) && size > 0 ? size : undefined;
}

const EARLIEST = Date.UTC(1990);
const LATEST = Date.UTC(2100);

function timeOf(text: string): number | undefined {
  const time = readTime(text);
  return time !== undefined && time > EARLIEST && time < LATEST ? time : undefined;
}
