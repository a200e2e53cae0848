const PAUSE_MS = 800;

/** Letters typed in quick succession, matched against the start of names. */
export interface Typed {
  readonly text: string;
  readonly at: number;
}

export const NOTHING_TYPED: Typed = { text: '', at: Number.NEGATIVE_INFINITY };

export function isTyping(typed: Typed, now: number): boolean {
  return typed.text !== '' && now - typed.at < PAUSE_MS;
}

export function typedMore(typed: Typed, letter: string, now: number): Typed {
  return { text: isTyping(typed, now) ? typed.text + letter : letter, at: now };
}

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Finds the next entry whose name starts with the typed letters, from `current` on and wrapping around; one
 * letter repeated cycles through all names that start with it. Searches only loaded names: `nameAt` returns
 * `undefined` for others.
 */
export function findTyped(
  text: string,
  count: number,
  current: number,
  nameAt: (index: number) => string | undefined,
): number | undefined {
  const letters = [...folded(text)];
  const wanted = letters.every((letter) => letter === letters[0]) ? letters[0] : letters.join('');
  if (!wanted) return undefined;
  const step = letters.length === 1 || wanted.length < letters.length ? 1 : 0;
  for (let ahead = step; ahead < count + step; ahead++) {
    const index = (current + ahead) % count;
    const name = nameAt(index);
    if (name !== undefined && folded(name).startsWith(wanted)) return index;
  }
  return undefined;
}
