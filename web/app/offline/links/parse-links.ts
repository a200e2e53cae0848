import { copiedLink, isInfoHash, readMagnet, writeMagnet } from '@bowerbird/contract';

/** Link found in a text, with its position. */
export interface ParsedLink {
  /** Key of the content: two links with the same key lead to the same thing. */
  readonly key: string;
  readonly kind: 'web' | 'magnet' | 'share';
  /** Address to download: cleaned, without parts that only a browser needs. */
  readonly url: string;
  /** Name to show before the inspection. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Line, or address in it, that can't be downloaded. */
export interface UnreadLine {
  /** Line number, starting at 1. */
  readonly line: number;
  /** Text found: the address, or the whole line. */
  readonly text: string;
  /**
   * `none`: no address in it. `unsupported`: an address of a kind that is not downloaded. `broken`: an invalid
   * address.
   */
  readonly reason: 'none' | 'unsupported' | 'broken';
  /** Scheme of an unsupported address, such as "ftp". */
  readonly scheme: string;
  readonly start: number;
  readonly end: number;
}

export interface ParsedText {
  readonly links: readonly ParsedLink[];
  /** Repeated links. */
  readonly duplicates: number;
  readonly unread: readonly UnreadLine[];
}

/** Possible start of a link. An info-hash must be a separate word: within a longer word it is something else. */
const BEGINNING =
  /magnet:(?=\/{0,2}\??\w)|https?:\/\/|\bwww\.(?=[^\s.]+\.[^\s.])|(?:magnet|https?)%(?:25)*3a|(?<![\w/])(?:[0-9a-f]{40}|[a-z2-7]{32})(?![\w-])/gi;
/** Rest of a link in running text, up to its end. */
const REST = /[^\s<>"`]*/y;
/**
 * A magnet's name was pasted with its spaces: the next words still belong to it if another of its parameters
 * follows.
 */
const MORE_OF_MAGNET =
  /(?:[ \t]{1,3}(?!magnet:|https?:\/\/)[^\s&<>"`]{1,100}){1,25}&(?:dn|tr|xt|xl|ws|as|xs|kt|so|x\.\w+)=[^\s<>"`]*/iy;
const SHARE_PATH = /^(?:\/[a-z]{2}(?:-[A-Za-z]{2})?)?\/s\/([\w-]{1,64})(?:\/|$)/;

/**
 * Finds every link in a text: web addresses, magnet links, bare info-hashes, and shares of this site (`origin`).
 */
export function parseLinks(text: string, origin: string): ParsedText {
  const links: ParsedLink[] = [];
  const known = new Set<string>();
  const unread: UnreadLine[] = [];
  let duplicates = 0;
  let from = 0;
  for (const [at, line] of text.split('\n').entries()) {
    const found = linksIn(line, from, origin);
    unread.push(...unreadIn(line, at + 1, from, found));
    for (const link of found) {
      if (known.has(link.key)) {
        duplicates += 1;
      } else {
        known.add(link.key);
        links.push(link);
      }
    }
    from += line.length + 1;
  }
  return { links, duplicates, unread };
}

/**
 * Addresses that can't be downloaded. Those without slashes are listed by name, since any word may precede a
 * colon.
 */
const OTHER_ADDRESS =
  /(?<![\w.+-])([a-z][a-z\d+.-]{0,30}):\/\/[^\s<>"`]*|(?<![\w.+-])(blob|data|ed2k|javascript|mailto|magnet|sip|tel|thunder):[^\s<>"`]+/gi;
const FETCHED = new Set(['http', 'https', 'magnet']);

function unreadIn(line: string, number: number, from: number, links: readonly ParsedLink[]): UnreadLine[] {
  const others = [...line.matchAll(OTHER_ADDRESS)].flatMap((match): UnreadLine[] => {
    const start = from + match.index;
    if (links.some((link) => start >= link.start && start < link.end)) return [];
    const text = withoutSentence(match[0]);
    const scheme = (match[1] ?? match[2])!.toLowerCase();
    const reason = FETCHED.has(scheme) ? 'broken' : 'unsupported';
    return [{ line: number, text, reason, scheme, start, end: start + text.length }];
  });
  if (others.length > 0 || links.length > 0 || line.trim() === '') return others;
  const start = from + line.search(/\S/);
  const text = line.trim();
  return [{ line: number, text, reason: 'none', scheme: '', start, end: start + text.length }];
}

function linksIn(line: string, from: number, origin: string): ParsedLink[] {
  const found: ParsedLink[] = [];
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(line); match; match = BEGINNING.exec(line)) {
    const raw = rawFrom(line, match.index);
    BEGINNING.lastIndex = match.index + Math.max(raw.length, 1);
    const read = readLink(raw, origin);
    if (read) found.push({ ...read, start: from + match.index, end: from + match.index + raw.length });
  }
  return found;
}

function rawFrom(line: string, start: number): string {
  REST.lastIndex = start;
  let raw = REST.exec(line)![0];
  if (!/^magnet:/i.test(raw)) return withoutSentence(raw);
  for (;;) {
    MORE_OF_MAGNET.lastIndex = start + raw.length;
    const more = MORE_OF_MAGNET.exec(line);
    if (!more) return withoutSentence(raw);
    raw += more[0];
  }
}

const CLOSING: Readonly<Record<string, string>> = {
  ')': '(',
  ']': '[',
  '}': '{',
  '）': '（',
  '」': '「',
  '》': '《',
};
const OPENING = new Set(Object.values(CLOSING));

/**
 * Removes punctuation of the sentence from the end of a link: periods, quotes, and brackets that were opened
 * before it.
 */
function withoutSentence(raw: string): string {
  const surplus = new Map<string, number>();
  for (const letter of raw) {
    const pair = CLOSING[letter] === undefined ? letter : CLOSING[letter];
    if (OPENING.has(pair)) surplus.set(pair, (surplus.get(pair) ?? 0) + (pair === letter ? -1 : 1));
  }
  let end = raw.length;
  for (; end > 0; end -= 1) {
    const last = raw[end - 1]!;
    if (/[.,;:!?'’”»。，、；：！？]/.test(last)) continue;
    const opening = CLOSING[last];
    const more = opening === undefined ? 0 : (surplus.get(opening) ?? 0);
    if (more <= 0) break;
    surplus.set(opening!, more - 1);
  }
  return raw.slice(0, end);
}

type Read = Pick<ParsedLink, 'key' | 'kind' | 'url' | 'name'>;

function readLink(written: string, origin: string): Read | undefined {
  const raw = copiedLink(written);
  if (isInfoHash(raw) || /^magnet:/i.test(raw)) return fromMagnet(raw);
  const url = URL.parse(/^www\./i.test(raw) ? `https://${raw}` : raw);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  url.hash = '';
  const shareId = url.origin === origin ? SHARE_PATH.exec(url.pathname)?.[1] : undefined;
  if (shareId !== undefined) return { key: `share:${shareId}`, kind: 'share', url: url.href, name: url.href };
  return { key: url.href, kind: 'web', url: url.href, name: nameOf(url) };
}

function fromMagnet(text: string): Read | undefined {
  const magnet = readMagnet(text);
  return (
    magnet && {
      key: `btih:${magnet.infoHash}`,
      kind: 'magnet',
      url: writeMagnet(magnet),
      name: magnet.name || magnet.infoHash,
    }
  );
}

function nameOf(url: URL): string {
  const last = url.pathname.split('/').findLast((segment) => segment !== '') ?? url.hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Removes a link from the text, and its line if nothing else is on it. */
export function withoutLink(text: string, { start, end }: Pick<ParsedLink, 'start' | 'end'>): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const nextLine = text.indexOf('\n', end);
  const lineEnd = nextLine < 0 ? text.length : nextLine;
  const isAlone = (text.slice(lineStart, start) + text.slice(end, lineEnd)).trim() === '';
  if (!isAlone) return text.slice(0, start) + text.slice(end);
  return nextLine < 0
    ? text.slice(0, Math.max(0, lineStart - 1))
    : text.slice(0, lineStart) + text.slice(nextLine + 1);
}
