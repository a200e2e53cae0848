const OPENS = /[\u2066-\u2068]/;
const FIRST_STRONG = '\u2068';
const CLOSE = '\u2069';
/** Letters of right-to-left scripts, and control characters of text direction. */
const DIRECTED =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns a text, such as a name, for use within a sentence: if it has a direction of its own, that ends with it, and
 * the order of the words around it stays. Other texts are unchanged.
 */
export function isolated(text: string): string {
  if (!DIRECTED.test(text)) return text;
  let kept = '';
  let open = 0;
  for (const character of text) {
    if (OPENS.test(character)) open += 1;
    if (character === CLOSE && open === 0) continue;
    if (character === CLOSE) open -= 1;
    kept += character;
  }
  return `${FIRST_STRONG}${kept}${CLOSE.repeat(open)}${CLOSE}`;
}
