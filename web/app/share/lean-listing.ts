import type { File } from '@bowerbird/contract';
import type { EntryPage } from '#app/node/entries/entry-book.ts';
import type { ShareListing } from './share-data.ts';

/** Values that most shared files have. They are left out of a page's data, which is sent with the page. */
const USUAL = {
  kind: 'drive#file',
  parent_id: '',
  revision: '0',
  icon_link: '',
  md5_checksum: '',
  links: {},
  phase: 'PHASE_TYPE_COMPLETE',
  audit: { status: 'STATUS_OK', message: 'Normal resource', title: '' },
  medias: [],
  trashed: false,
  delete_time: '',
  original_url: '',
  params: {},
  original_file_index: 0,
  space: '',
  apps: [],
  writable: false,
  folder_type: '',
  collection: '',
  sort_name: '',
  starred: false,
  tags: [],
  spell_name: [],
  reference_events: [],
  reference_resource: null,
  web_content_link: '',
} satisfies Partial<File>;

type Known = 'created_time' | 'user_modified_time' | 'thumbnail_link';

type LeanFile = Omit<File, keyof typeof USUAL | Known> &
  Partial<File> & {
    /** Part of the thumbnail link that all files have in common, and the file's signature. */
    readonly thumbnail?: readonly [common: string, signature: string] | undefined;
  };

/** Listing whose files lack their usual values, and what follows from the others. */
export interface LeanListing extends Omit<ShareListing, 'first'> {
  readonly first: Omit<EntryPage, 'files'> & { readonly files: readonly LeanFile[] };
}

export function leanListing({ first, ...listing }: ShareListing): LeanListing {
  return { ...listing, first: { ...first, files: first.files.map(leanFile) } };
}

export function wholeListing({ first, ...listing }: LeanListing): ShareListing {
  return { ...listing, first: { ...first, files: first.files.map(wholeFile) } };
}

function leanFile({ thumbnail_link: link, ...file }: File): LeanFile {
  const lean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(file)) {
    const isUsual = FOLLOWING.has(name)
      ? value === file.modified_time
      : Object.hasOwn(USUAL, name) && isSame(value, USUAL[name as keyof typeof USUAL]);
    if (!isUsual) lean[name] = value;
  }
  if (link !== '') Object.assign(lean, leanLink(link, file));
  return lean as unknown as LeanFile;
}

/** Times that are usually that of the last modification. */
const FOLLOWING = new Set(['created_time', 'user_modified_time']);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === 'object' &&
    typeof other === 'object' &&
    one !== null &&
    JSON.stringify(one) === JSON.stringify(other));

function leanLink(link: string, file: Omit<File, 'thumbnail_link'>): Partial<LeanFile> {
  const end = link.lastIndexOf(SIGNATURE);
  if (end < 0) return { thumbnail_link: link };
  const common = link.slice(0, end).replace(bytesIn(file), SAME);
  return { thumbnail: [common, link.slice(end + SIGNATURE.length)] };
}

function wholeFile({ thumbnail, ...lean }: LeanFile): File {
  const { modified_time: time } = lean;
  const [common = '', signature = ''] = thumbnail ?? [];
  const link = thumbnail ? common.replace(SAME, () => bytesIn(lean)) + SIGNATURE + signature : '';
  return { ...USUAL, created_time: time, user_modified_time: time, thumbnail_link: link, ...lean };
}

const SIGNATURE = '&sign=';
/** Stands for the part of a link that names the bytes of its file. */
const SAME = 'fid=*';
const bytesIn = ({ id, size, hash }: Pick<File, 'id' | 'size' | 'hash'>): string =>
  `fid=${id}&f=${size}&g=${hash}`;
