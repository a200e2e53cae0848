const SLICE = 32_768;
/** Longer than any valid entity. */
const LONGEST_ENTITY = 12;
const STRAY = /&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,9});)/g;
const MOST_GROWTH = 4;
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

/**
 * Yields a document in pieces, and escapes stray ampersands: a parser would take all text after one for the
 * name of an entity.
 */
export function* mendedSlices(text: string): Generator<string, void, undefined> {
  let at = Math.max(0, text.indexOf('<'));
  let raw = text.indexOf(CDATA, at);
  while (at < text.length) {
    if (raw === at) {
      const end = text.indexOf(CDATA_END, at);
      const after = end < 0 ? text.length : end + CDATA_END.length;
      for (; at < after; at += SLICE) yield text.slice(at, Math.min(at + SLICE, after));
      at = after;
      raw = text.indexOf(CDATA, at);
      continue;
    }
    const limit = wholeEntities(text, at, Math.min(at + SLICE, raw < 0 ? text.length : raw));
    const mended = text.slice(at, limit).replace(STRAY, '&amp;');
    // This many stray ampersands are not an oversight.
    if (mended.length > MOST_GROWTH * (limit - at) + LONGEST_ENTITY) return;
    yield mended;
    at = limit;
  }
}

/** Returns an end for a slice that does not cut an entity in two. */
function wholeEntities(text: string, from: number, to: number): number {
  if (to === text.length) return to;
  const ampersand = text.lastIndexOf('&', to - 1);
  return ampersand > from && ampersand >= to - LONGEST_ENTITY ? ampersand : to;
}
