import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SUBSCRIPTIONS } from '@bowerbird/contract';
import { SaxesParser } from 'saxes';
import { createDraft, type Draft, type FoundItem } from './feed-item.ts';
import { mendedSlices } from './feed-mending.ts';
import { plainText } from './plain-text.ts';

export interface Feed {
  readonly title: string;
  /** In the order of the feed. */
  readonly items: readonly FoundItem[];
}

/** Element whose end tag has not been read yet. */
interface Frame {
  readonly prefix: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly base: string;
  text: string;
}

/** Number of characters parsed between two turns of the event loop. */
const MOST_UNBROKEN = 32_768;
const DEEPEST = 200;
const MOST_ELEMENTS = 200_000;
const MOST_ERRORS = 5000;
const MOST_TEXT = 16_384;
const ROOTS = new Set(['rss', 'rdf', 'feed']);
const ITEMS = new Set(['item', 'entry']);

/**
 * Parses RSS 0.9 to 2.0 and Atom as found in the wild: with undeclared prefixes, unescaped ampersands, unclosed
 * elements. Ignores entities declared by the document. Returns undefined if the text is not a feed.
 */
export async function parseFeed(text: string, address: string): Promise<Feed | undefined> {
  const parser = new SaxesParser();
  const open: Frame[] = [];
  const items: FoundItem[] = [];
  let title = '';
  let draft: Draft | undefined;
  /** Depth of the open item. */
  let itemDepth = 0;
  let elements = 0;
  let errors = 0;
  let isFeed = false;

  // Documents need not be well formed, as long as items can be recognized.
  parser.on('error', () => {
    errors += 1;
    if (errors > MOST_ERRORS) throw new Enough();
  });

  parser.on('opentag', ({ name: qualified, attributes }) => {
    elements += 1;
    if (elements > MOST_ELEMENTS || open.length >= DEEPEST) throw new Enough();
    const { prefix, name } = splitName(qualified);
    if (open.length === 0) {
      if (!ROOTS.has(name)) throw new Enough();
      isFeed = true;
    }
    const above = open.at(-1)?.base ?? address;
    const base = attributes['xml:base'] === undefined ? above : resolved(attributes['xml:base'], above);
    const frame: Frame = { prefix, name, attributes, base: base ?? above, text: '' };
    open.push(frame);
    if (!draft && ITEMS.has(name) && open.length > 1) {
      draft = createDraft(attributes['rdf:about']);
      itemDepth = open.length;
    } else draft?.opened(frame, open.length - itemDepth);
  });

  const gather = (piece: string): void => {
    const frame = open.at(-1);
    if (frame && frame.text.length < MOST_TEXT) frame.text += piece;
  };
  parser.on('text', gather);
  parser.on('cdata', gather);

  parser.on('closetag', () => {
    const frame = open.pop();
    if (!frame) return;
    if (draft && open.length < itemDepth) {
      items.push(draft.item());
      draft = undefined;
      if (items.length >= SUBSCRIPTIONS.itemsRead) throw new Enough();
    } else if (draft) {
      draft.closed(frame, open.length + 1 - itemDepth, open.at(-1)!.name);
    } else if (frame.name === 'title' && frame.prefix === '' && open.length <= 2 && title === '') {
      title = plainText(frame.text);
    }
    // Titles in Atom may contain markup.
    const outer = open.at(-1);
    if (outer && outer.text.length < MOST_TEXT) outer.text += frame.text;
  });

  let unbroken = 0;
  try {
    for (const slice of mendedSlices(text)) {
      parser.write(slice);
      unbroken += slice.length;
      if (unbroken < MOST_UNBROKEN) continue;
      unbroken = 0;
      await yieldToEventLoop();
    }
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return isFeed ? { title, items } : undefined;
}

/** Thrown to stop reading; the items read so far are used. */
class Enough extends Error {}

function splitName(qualified: string): { prefix: string; name: string } {
  const colon = qualified.indexOf(':');
  return {
    prefix: qualified.slice(0, Math.max(0, colon)).toLowerCase(),
    name: qualified.slice(colon + 1).toLowerCase(),
  };
}

/** Returns the absolute address; undefined if there is none. */
export function resolved(address: string, base: string): string | undefined {
  return URL.parse(address.trim(), base)?.href;
}
