/** Letters of right-to-left scripts, and control characters of text direction. */
const DIRECTED =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\ud802\ud803\ud83a]/;
const ISOLATES = /[\u2066-\u2069]/g;

/**
 * Returns a text, such as a name, for use within a sentence: if it has a direction of its own, that ends with it, and
 * the order of the words around it stays. Other texts are unchanged.
 */
export const isolated = (text: string): string =>
  // An isolate without an end of its own ends with the text.
  DIRECTED.test(text) ? `\u2068${text.replace(ISOLATES, '')}\u2069` : text;
