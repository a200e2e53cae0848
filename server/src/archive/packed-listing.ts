import { fileTime, legacyReader, readTime } from '@bowerbird/contract';
import { BadArchive, MOST_ITEMS, type ArchiveItem } from './archive-items.ts';
import { segmentsOf } from './archive-names.ts';

/** Entry as listed by the engine. */
export interface PackedItem extends ArchiveItem {
  /** Path as printed by the engine, byte for byte, to pass back to it. */
  readonly written: string;
  /** Entries of one block are unpacked one after the other; undefined if the format doesn't state it. */
  readonly block: string | undefined;
  readonly packedSize: number;
}

const LARGEST_LISTING = 256 * 2 ** 20;

/**
 * Parses the engine's listing: an empty line, then a line for each property, starting with `Path`. Text is
 * read as bytes (latin1), since its encoding is detected from all names together.
 */
export function createListing() {
  const records: Map<string, string>[] = [];
  let rest = '';
  let length = 0;
  const isRemark = remarks();

  function readLine(line: string): void {
    if (isRemark(line)) return;
    const at = line.indexOf(' = ');
    if (at < 0) return;
    const [property, value] = [line.slice(0, at), line.slice(at + 3)];
    if (property === 'Path') {
      if (records.length >= MOST_ITEMS) throw new BadArchive('it has too many entries');
      records.push(new Map());
    }
    if (PROPERTIES.has(property)) records.at(-1)?.set(property, value);
  }

  return {
    add(chunk: Buffer): void {
      length += chunk.length;
      if (length > LARGEST_LISTING) throw new BadArchive('it has too many entries');
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop()!;
      for (const line of lines) readLine(line);
    },
    items(): PackedItem[] {
      if (rest !== '') readLine(rest);
      const decode = legacyReader(records.map((record) => bytesOf(record.get('Path'))));
      return records.map((record, index) => itemOf(record, index, decode));
    },
  };
}

/** Detects lines of a comment, which the engine prints between braces and which may contain anything. */
export function remarks(): (line: string) => boolean {
  let isWithin = false;
  return (line) => {
    if (!isWithin && line !== '{') return false;
    isWithin = line !== '}';
    return true;
  };
}

const PROPERTIES = new Set([
  'Path',
  'Folder',
  'Size',
  'Packed Size',
  'Modified',
  'Attributes',
  'Mode',
  'Encrypted',
  'Block',
  'Symbolic Link',
  'Hard Link',
  'Copy Link',
  'Alternate Stream',
  'Anti',
]);

const bytesOf = (text = ''): Buffer => Buffer.from(text, 'latin1');

function itemOf(
  record: ReadonlyMap<string, string>,
  index: number,
  decode: (name: Uint8Array) => string,
): PackedItem {
  const written = record.get('Path')!;
  const kind = kindOf(record);
  return {
    index,
    written: written.replace(/\/$/, ''),
    path: segmentsOf(decode(bytesOf(written))),
    kind,
    isLocked: record.get('Encrypted') === '+',
    size: kind === 'file' ? sizeOf(record.get('Size')) : 0,
    packedSize: Number(record.get('Packed Size')) || 0,
    block: record.get('Block') || undefined,
    modifiedAt: timeOf(record.get('Modified')),
  };
}

function kindOf(record: ReadonlyMap<string, string>): ArchiveItem['kind'] {
  const attributes = `${record.get('Attributes') ?? ''} ${record.get('Mode') ?? ''}`;
  const isElse =
    ['Symbolic Link', 'Hard Link', 'Copy Link'].some((link) => record.get(link)) ||
    ['Alternate Stream', 'Anti'].some((what) => record.get(what) === '+') ||
    /(?:^| )[lbcps][r-][w-]/.test(attributes);
  if (isElse) return 'other';
  return record.get('Folder') === '+' || /^[A-Z]*D|(?:^| )d[r-][w-]/.test(attributes) ? 'folder' : 'file';
}

function sizeOf(text = ''): number {
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw new BadArchive('a size is missing or invalid');
  return size;
}

/** The engine runs without a time zone, so its times are read as UTC. */
function timeOf(text = ''): number | undefined {
  return fileTime(readTime(text.slice(0, 19)));
}
