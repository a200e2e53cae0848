/** Colors of tags and folders, in the order in which they are offered. */
export const COLORS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'gray'] as const;
export type Color = (typeof COLORS)[number];

// Control characters, and those that change the direction of the text around them.
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * Returns a short label as it is stored: composed, with single spaces. Undefined if it is empty, longer than `most`
 * characters, or has characters that can't be seen.
 */
export function labelText(text: string, most: number): string | undefined {
  const label = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  return label === '' || [...label].length > most || UNSEEN.test(label) ? undefined : label;
}
