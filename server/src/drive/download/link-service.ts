import { ApiFailure, mimeOf } from '@bowerbird/contract';
import type { Caller } from '../../foundation/http/index.ts';
import { timeText, type Clock, type Keys } from '../../foundation/index.ts';
import { memberOfReference } from '../access/index.ts';
import { FILE, THUMBNAIL_SIZES, type Links, type ShownNode, type ThumbnailSize } from '../drive.ts';

const HOUR_S = 3600;
/**
 * Minimum lifetime of a download link; it may last up to one step longer, so that it stays the same for a while.
 */
const DOWNLOAD = { purpose: 'download', path: '/download/', lifeS: 6 * HOUR_S, stepS: HOUR_S } as const;
/** Download link that a member shows to a camera: whoever photographs the screen later has nothing of it. */
const BRIEF = { ...DOWNLOAD, lifeS: 15 * 60, stepS: 60 } as const;
const THUMBNAIL = {
  purpose: 'thumbnail',
  path: '/thumbnail/',
  lifeS: 6 * HOUR_S,
  stepS: 6 * HOUR_S,
} as const;

type LinkKind = typeof DOWNLOAD | typeof BRIEF | typeof THUMBNAIL;

/** Maximum number of links that are remembered, of all kinds. */
const LINKS_KEPT = 20_000;

/** Signed link, with the properties of the bytes that it was signed for. */
interface MadeLink extends Pick<ShownNode, 'gcid' | 'size'> {
  readonly path: string;
  readonly sign: string;
  readonly expire: number;
}

export const LINK_TYPE = 'application/octet-stream';

const PICTURES = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'image/svg+xml',
  // These only show a picture that their camera has put into them.
  'image/x-raw',
  'image/heic',
]);
const FILMS = new Set(['video/mp4', 'video/webm', 'video/x-matroska', 'video/quicktime', 'video/x-msvideo']);

/** Returns the kind of decoder that can make a thumbnail of a file; undefined if there is none. */
export function pictureKind(name: string, posters: boolean): 'image' | 'video' | undefined {
  const mime = mimeOf(name);
  return PICTURES.has(mime) ? 'image' : posters && FILMS.has(mime) ? 'video' : undefined;
}

/** Contents of a verified link. */
export interface OpenedLink {
  readonly node: string;
  readonly share: string | undefined;
  /** Member who was given the link to a file of someone else, instead of a share. */
  readonly member: string | undefined;
  /** Id of the earlier version of the node that the link is for; undefined for its present content. */
  readonly version: string | undefined;
  readonly inline: boolean;
  readonly size: ThumbnailSize;
  /** Remaining lifetime of the link in seconds. */
  readonly secondsLeft: number;
}

/** Access to shares. `share` is the value passed to {@link Links.download}. */
export interface ShareGate {
  /** Returns true if the share still contains the file. */
  shows(share: string, node: string): Promise<boolean>;
  /** Reports that a visitor downloads a file through the share. */
  downloaded(share: string, caller: Caller): void;
}

export interface SignedLinks extends Links {
  /** Reads a link's query; throws `permission_denied` if it was modified, created elsewhere, or has expired. */
  open(path: 'download' | 'thumbnail', query: Readonly<Record<string, unknown>>): OpenedLink;
  /** Returns true if the share of a link still contains its file. */
  stillShared(link: OpenedLink): Promise<boolean>;
  /** Reports a download to the share of the link. */
  downloaded(link: OpenedLink, caller: Caller): void;
  /** Hook for the domain of shares. Without it, links through shares are invalid. */
  onShare(gate: ShareGate): void;
}

export function createLinks({
  keys,
  clock,
  posters,
}: {
  keys: Keys;
  clock: Clock;
  posters: boolean;
}): SignedLinks {
  let gate: ShareGate | undefined;

  // A list shows the same links to everybody for hours, and signing them costs more than reading the list. By
  // everything but the node that a link depends on, then by the id of the node.
  const made = new Map<string, Map<string, MadeLink>>();
  let count = 0;
  let last = { what: '', share: undefined as string | undefined, links: new Map<string, MadeLink>() };

  const expiryOf = ({ lifeS, stepS }: LinkKind): number =>
    Math.ceil((Math.floor(clock.now() / 1000) + lifeS) / stepS) * stepS;

  /** Returns the links of one kind; the links of a list follow one another. */
  function linksOf(what: string, share: string | undefined): Map<string, MadeLink> {
    if (what === last.what && share === last.share) return last.links;
    const variant = `${what} ${share ?? ''}`;
    const links = made.get(variant) ?? new Map<string, MadeLink>();
    made.set(variant, links);
    last = { what, share, links };
    return links;
  }

  function forgetLinks(): void {
    made.clear();
    count = 0;
    last = { what: '', share: undefined, links: new Map() };
  }

  /** Signs a link to the bytes of a node. `what` names the kind of link, and `fields` are signed. */
  const signed = (
    of: LinkKind,
    node: ShownNode,
    { what, share }: { what: string; share: string | undefined },
    fields: () => Record<string, string>,
  ): MadeLink => {
    const expire = expiryOf(of);
    const known = linksOf(what, share).get(node.id);
    if (known?.expire === expire && known.gcid === node.gcid && known.size === node.size) return known;
    const query = new URLSearchParams({ ...fields(), expire: String(expire) }).toString();
    const sign = keys.sign(of.purpose, query);
    const { gcid, size } = node;
    const link = { path: `${of.path}?${query}&sign=${sign}`, sign, expire, gcid, size };
    if (count >= LINKS_KEPT) forgetLinks();
    if (!known) count += 1;
    linksOf(what, share).set(node.id, link);
    return link;
  };

  const fields = (node: ShownNode): Record<string, string> => ({
    fid: node.id,
    f: String(node.size),
    g: node.gcid ?? '',
  });

  return {
    period: () => expiryOf(THUMBNAIL),

    download(node, { disposition, origin = '', share, version, isBrief = false }) {
      const kind = isBrief ? `brief ${disposition}` : disposition;
      const what = version === undefined ? kind : `${kind} ${version}`;
      const { path, sign, expire } = signed(isBrief ? BRIEF : DOWNLOAD, node, { what, share }, () => ({
        ...fields(node),
        ...(version === undefined ? {} : { v: version }),
        ...(share === undefined ? {} : { s: share }),
        ...(disposition === 'inline' ? { d: 'inline' } : {}),
      }));
      return { url: origin + path, token: sign, expire: timeText(expire * 1000), type: LINK_TYPE };
    },

    thumbnail(node, size, { origin = '', share, version } = {}) {
      if (node.kind !== FILE || node.quarantined_at !== null || pictureKind(node.name, posters) === undefined)
        return '';
      const { path } = signed(
        THUMBNAIL,
        node,
        { what: version === undefined ? size : `${size} ${version}`, share },
        () => ({
          ...fields(node),
          size,
          ...(version === undefined ? {} : { v: version }),
          ...(share === undefined ? {} : { s: share }),
        }),
      );
      return origin + path;
    },

    open(path, query) {
      const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '');
      const order = [
        'fid',
        'f',
        'g',
        ...(path === 'download' ? ['v', 's', 'd'] : ['size', 'v', 's']),
        'expire',
      ];
      const asSigned = new URLSearchParams(
        order.filter((name) => typeof query[name] === 'string').map((name) => [name, text(name)]),
      );
      const secondsLeft = Number(text('expire')) - Math.floor(clock.now() / 1000);
      if (!keys.verify(path, asSigned.toString(), text('sign')) || !(secondsLeft > 0))
        throw new ApiFailure('permission_denied');
      const member = memberOfReference(text('s'));
      const size = THUMBNAIL_SIZES.find((name) => name === text('size')) ?? 'SIZE_SMALL';
      return {
        node: text('fid'),
        share: member === undefined ? text('s') || undefined : undefined,
        member,
        version: text('v') || undefined,
        inline: text('d') === 'inline',
        size,
        secondsLeft,
      };
    },

    async stillShared({ share, node }) {
      return share === undefined || (await gate?.shows(share, node)) === true;
    },

    downloaded({ share, inline }, caller) {
      if (share !== undefined && !inline) gate?.downloaded(share, caller);
    },

    onShare(shareGate) {
      gate = shareGate;
    },
  };
}
