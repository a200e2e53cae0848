/** Invisible characters that pages and messengers insert into copied text. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
const PAIRS: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['<', '>'],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
  ['【', '】'],
  ['（', '）'],
];
/** A Markdown link, with or without a title, or a Markdown image. */
const MARKDOWN = /^!?\[[^\]]*\]\(\s*<?([^\s<>]+?)>?(?:\s+["'(][^)]*)?\)$/;
const ESCAPED = /^(?:magnet|https?)%(?:25)*3a/i;
const MOST_LAYERS = 4;

/** Removes what copying adds to a link: Markdown, quotes, brackets, percent-encoding, HTML escapes. */
export function copiedLink(copied: string): string {
  let text = copied.replace(UNSEEN, '').trim();
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const next = peeled(text);
    if (next === text) break;
    text = next;
  }
  return text;
}

function peeled(text: string): string {
  const [, address] = MARKDOWN.exec(text) ?? [];
  if (address !== undefined) return address;
  const pair = PAIRS.find(
    ([open, close]) => text.length > 1 && text.startsWith(open) && text.endsWith(close),
  );
  if (pair) return text.slice(1, -1).trim();
  if (ESCAPED.test(text)) return unescaped(text);
  return text
    .replace(/^url:\s*(?=\w+:)/i, '')
    .replace(/&(?:amp|#0*38|#x0*26);/gi, '&')
    .replace(/[,;，；、。]+$/, '')
    .trim();
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
