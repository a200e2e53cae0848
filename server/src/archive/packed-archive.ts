import {
  BadArchive,
  UnknownMethod,
  WrongPassword,
  type OpenArchive,
  type RandomAccess,
  type Unpacked,
} from './archive-items.ts';
import { createListing, remarks, type PackedItem } from './packed-listing.ts';
import { UNPACKED, type Said, type Unpacker } from './unpacker.ts';

/** Formats read by the engine, by its names for them. */
export type PackedFormat = '7z' | 'Rar' | 'Rar5' | 'tar';

/** Thrown if everything is encrypted, even the names. */
export class SealedArchive extends Error {
  override name = 'SealedArchive';
}

interface Source {
  readonly unpacker: Unpacker;
  readonly bytes: RandomAccess;
  readonly format: PackedFormat | 'zip';
}

/** No progress, UTF-8, no questions, only this format. An empty password prevents a prompt. */
const always = (format: Source['format'], password: string): string[] => [
  '-bsp0',
  '-bd',
  '-y',
  '-sccUTF-8',
  `-t${format}`,
  `-p${password}`,
];

/** Error for the engine's final message about an archive. */
function refusalOf(told: string): Error {
  if (/encrypted archive|wrong password/i.test(told)) return new SealedArchive();
  if (OUT_OF_MEMORY.test(told)) return new UnknownMethod();
  return new BadArchive(/^ERRORS?: ?(.*)$/m.exec(told)?.[1] || 'it can not be read');
}

const OUT_OF_MEMORY = /(?:can ?not|can't) allocate|E_OUTOFMEMORY|memory/i;
/** Exit codes for success, and for warnings such as bytes after the end. */
const MILD = new Set([0, 1]);

/** Lists the entries. Throws {@link BadArchive}, {@link UnknownMethod}, {@link SealedArchive}. */
export async function packedItems(
  { unpacker, bytes, format }: Source,
  password: string,
): Promise<PackedItem[]> {
  const listing = createListing();
  let told = '';
  for await (const said of unpacker.run(bytes, ['l', '-slt', '-ba', ...always(format, password), UNPACKED])) {
    if (said.kind === 'out') listing.add(said.bytes);
    else if (said.kind === 'told') told = (told + said.text).slice(-MOST_TOLD);
    else if (!MILD.has(said.code)) throw refusalOf(told);
  }
  return listing.items();
}

const MOST_TOLD = 64 * 1024;
/** Number of decoded bytes without an error after which a password is considered right. */
const JUDGED_BYTES = 8 * 2 ** 20;
/**
 * Maximum number of names passed to the engine; if more files are wanted, it unpacks everything, and unwanted
 * files are dropped.
 */
const MOST_NAMED = 200;

/** 7z, rar or tar archive with its listing, which may have been read before. */
export function packedArchive(source: Source, items: readonly PackedItem[]): OpenArchive {
  const fileCount = items.filter(({ kind }) => kind === 'file').length;
  const unpack: OpenArchive['unpack'] = (files, password, signal) =>
    unpackPacked(
      source,
      items,
      files.map(({ index }) => items[index]!),
      { password, signal, named: files.length < fileCount && files.length <= MOST_NAMED },
    );
  return {
    items,
    unpack,
    async judge(chosen, password) {
      const locked = chosen
        .map(({ index }) => items[index]!)
        .filter(({ kind, isLocked, size }) => kind === 'file' && isLocked && size > 0);
      const first = nearest(items, locked);
      if (!first) return 'right';
      if (password === '') return 'missing';
      try {
        for await (const { content } of unpack([first], password)) {
          let passed = 0;
          for await (const chunk of content) if ((passed += chunk.byteLength) > JUDGED_BYTES) break;
          return 'right';
        }
        return 'right';
      } catch (error) {
        if (error instanceof WrongPassword) return 'wrong';
        // Broken or unknown entries are reported when the extraction reaches them.
        if (error instanceof BadArchive || error instanceof UnknownMethod) return 'right';
        throw error;
      }
    },
  };
}

/** Returns the item that requires the least decoding, including everything before it in its block. */
function nearest(items: readonly PackedItem[], among: readonly PackedItem[]): PackedItem | undefined {
  const wanted = new Set(among.map(({ index }) => index));
  const before = new Map<string | undefined, number>();
  let best: { item: PackedItem; cost: number } | undefined;
  for (const item of items) {
    const cost = (before.get(item.block) ?? 0) + item.size;
    before.set(item.block, cost);
    if (wanted.has(item.index) && (!best || cost < best.cost)) best = { item, cost };
  }
  return best?.item;
}

/** Lines that the engine prints while it unpacks: the current entry, and errors. */
const NEXT = /^[-T] (.*?)\/?$/s;
const WRONG = /^(?:\s*ERROR|Errors?:|Sub items Errors|Archives with Errors)/;

interface Wish {
  readonly password: string;
  readonly signal: AbortSignal | undefined;
  /** True if the wanted files are passed to the engine by name. */
  readonly named: boolean;
}

async function* unpackPacked(
  source: Source,
  items: readonly PackedItem[],
  files: readonly PackedItem[],
  { password, signal, named }: Wish,
): AsyncGenerator<Unpacked, void, undefined> {
  if (files.length === 0) return;
  const names = named ? ['-spd', ...files.map(({ written }) => `-i!${asText(written)}`)] : [];
  const order = ['x', '-so', '-bb1', '-bso2', ...always(source.format, password), ...names, UNPACKED];
  const events = readEvents(source.unpacker.run(source.bytes, order, signal));
  let at = -1;
  let done = 0;
  try {
    /** Event that ends the previous entry and starts the next one. */
    let event = await nextBeginning(events);
    for (const file of files) {
      // The engine may unpack more than requested; other entries are dropped.
      while (event.kind === 'begins') {
        do at += 1;
        while (at < items.length && items[at]!.written !== event.text);
        if (at >= file.index) break;
        event = await nextBeginning(events);
      }
      if (named && event.kind !== 'wrong' && at !== file.index) break;
      if (event.kind !== 'begins') throw failureOf(event.text, file);
      if (at !== file.index) throw new BadArchive('its contents differ from its directory');
      yield {
        item: file,
        content: contentOf(events, file, (ended) => {
          event = ended;
        }),
      };
      done += 1;
    }
  } finally {
    await events.return();
  }
  // Some names differ from how they are listed, and the engine doesn't find them by name.
  yield* unpackPacked(source, items, files.slice(done), { password, signal, named: false });
}

interface Event {
  readonly kind: 'begins' | 'bytes' | 'wrong' | 'over';
  readonly text: string;
  readonly bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);

async function* readEvents(run: AsyncIterable<Said>): AsyncGenerator<Event, void, undefined> {
  let rest = '';
  const isRemark = remarks();
  for await (const said of run) {
    if (said.kind === 'out') yield { kind: 'bytes', text: '', bytes: said.bytes };
    else if (said.kind === 'told') {
      const lines = (rest + said.text).split('\n');
      rest = lines.pop()!.slice(-MOST_TOLD);
      for (const line of lines) {
        if (isRemark(line)) continue;
        const next = NEXT.exec(line);
        if (next) yield { kind: 'begins', text: next[1]!, bytes: NOTHING };
        else if (WRONG.test(line)) yield { kind: 'wrong', text: line, bytes: NOTHING };
      }
    } else yield { kind: MILD.has(said.code) ? 'over' : 'wrong', text: '', bytes: NOTHING };
  }
}

/** Skips the engine's output until the next entry starts or the output ends. */
async function nextBeginning(events: AsyncIterator<Event>): Promise<Event> {
  let wrong: Event | undefined;
  for (;;) {
    const { done, value } = await events.next();
    if (done || (value as Event).kind === 'over') return wrong ?? { kind: 'over', text: '', bytes: NOTHING };
    const event = value as Event;
    if (event.kind === 'begins') return event;
    if (event.kind === 'wrong') wrong ??= event;
  }
}

async function* contentOf(
  events: AsyncIterator<Event>,
  file: PackedItem,
  ended: (event: Event) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let passed = 0;
  for (;;) {
    const { done, value } = await events.next();
    const event: Event = done ? { kind: 'over', text: '', bytes: NOTHING } : (value as Event);
    if (event.kind === 'wrong') throw failureOf(event.text, file);
    if (event.kind !== 'bytes') {
      if (passed !== file.size) throw new BadArchive('an entry is smaller than its declared size');
      ended(event);
      return;
    }
    passed += event.bytes.byteLength;
    if (passed > file.size) throw new BadArchive('an entry is larger than its declared size');
    yield event.bytes;
  }
}

function failureOf(told: string, { isLocked }: PackedItem): Error {
  if (isLocked && /password/i.test(told)) return new WrongPassword();
  if (/unsupported/i.test(told) || OUT_OF_MEMORY.test(told)) return new UnknownMethod();
  return new BadArchive(told === '' ? 'it ends early' : told);
}

/** Decodes a path, since the engine takes its arguments as text. */
const asText = (written: string): string => Buffer.from(written, 'latin1').toString();
