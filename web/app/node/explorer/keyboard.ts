import type { ViewType } from '../display/display-mode.ts';

/** Actions on one or several entries; the pages decide which are allowed. */
export type EntryAction =
  | 'rename'
  | 'trash'
  | 'delete'
  | 'copy'
  | 'cut'
  | 'paste'
  | 'details'
  | 'star'
  | 'tag'
  | 'download'
  | 'toggle-view'
  | 'select-by';

/** Meaning of a key in a list of entries. */
export type KeyMeaning =
  | { readonly do: 'move'; readonly by: Movement; readonly how: 'replace' | 'extend' | 'only-focus' }
  | { readonly do: 'act'; readonly action: EntryAction }
  | { readonly do: 'type'; readonly letter: string }
  | { readonly do: 'toggle' | 'select-all' | 'clear' | 'open' | 'parent' | 'menu' };

export type Movement = 'up' | 'down' | 'left' | 'right' | 'first' | 'last' | 'page-up' | 'page-down';

/** Part of a keyboard event that is evaluated. */
export interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const MOVEMENTS: Readonly<Record<string, Movement>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'first',
  End: 'last',
  PageUp: 'page-up',
  PageDown: 'page-down',
};

const WITH_CONTROL: Readonly<Record<string, KeyMeaning>> = {
  a: { do: 'select-all' },
  c: { do: 'act', action: 'copy' },
  x: { do: 'act', action: 'cut' },
  v: { do: 'act', action: 'paste' },
};

/** Single letters that act. While a name is being typed, and with Shift, they are ordinary letters. */
const LETTERS: Readonly<Record<string, KeyMeaning>> = {
  d: { do: 'act', action: 'details' },
  s: { do: 'act', action: 'star' },
  t: { do: 'act', action: 'tag' },
  v: { do: 'act', action: 'toggle-view' },
};

/** Letters that the surrounding page handles. */
const LEFT_TO_THE_PAGE = new Set(['n', '/', '?']);

export function meaningOf(pressed: Key, isTyping: boolean): KeyMeaning | undefined {
  const control = pressed.ctrlKey || pressed.metaKey;
  const { key } = pressed;
  if (pressed.altKey) return key === 'ArrowUp' ? { do: 'parent' } : undefined;
  const by = MOVEMENTS[key];
  if (by) return { do: 'move', by, how: pressed.shiftKey ? 'extend' : control ? 'only-focus' : 'replace' };
  if (control && key === ' ') return { do: 'toggle' };
  if (control) return pressed.shiftKey ? undefined : WITH_CONTROL[key.toLowerCase()];
  return named(key, pressed.shiftKey, isTyping) ?? letter(key, pressed.shiftKey, isTyping);
}

function named(key: string, shift: boolean, isTyping: boolean): KeyMeaning | undefined {
  switch (key) {
    case 'Enter':
      return { do: 'open' };
    case ' ':
      return isTyping ? { do: 'type', letter: ' ' } : { do: 'toggle' };
    case 'Escape':
      return { do: 'clear' };
    case 'Backspace':
      return { do: 'parent' };
    case 'F2':
      return { do: 'act', action: 'rename' };
    case 'Delete':
      return { do: 'act', action: shift ? 'delete' : 'trash' };
    case 'F10':
      return shift ? { do: 'menu' } : undefined;
    case 'ContextMenu':
      return { do: 'menu' };
    default:
      return undefined;
  }
}

function letter(key: string, shift: boolean, isTyping: boolean): KeyMeaning | undefined {
  if ([...key].length !== 1) return undefined;
  if (!isTyping && !shift && LETTERS[key]) return LETTERS[key];
  // Many keyboards type it with Shift.
  if (!isTyping && key === '+') return { do: 'act', action: 'select-by' };
  if (!isTyping && LEFT_TO_THE_PAGE.has(key)) return undefined;
  return { do: 'type', letter: key };
}

/** Layout of the entries on the screen. */
export interface Lie {
  readonly count: number;
  readonly columns: number;
  /** Number of lines that fit on the screen. */
  readonly lines: number;
  /** True for right-to-left languages. */
  readonly rightToLeft?: boolean;
}

/** Returns the row that a movement leads to; `undefined` if there is none (left and right in a list). */
export function rowAfter(
  by: Movement,
  current: number,
  { count, columns, lines, rightToLeft }: Lie,
): number | undefined {
  const last = count - 1;
  if (last < 0) return undefined;
  const within = (row: number): number => Math.max(0, Math.min(last, row));
  const forward = rightToLeft ? -1 : 1;
  switch (by) {
    case 'first':
      return 0;
    case 'last':
      return last;
    case 'left':
      return columns > 1 ? within(current - forward) : undefined;
    case 'right':
      return columns > 1 ? within(current + forward) : undefined;
    case 'up':
      return current - columns >= 0 ? current - columns : current;
    case 'down':
      return down(current, columns, last);
    case 'page-up':
      return within(current - columns * Math.min(lines, Math.floor(current / columns)));
    case 'page-down':
      return within(current + columns * lines);
  }
}

/** Moves a line down; to the last entry if the line below is shorter. */
function down(current: number, columns: number, last: number): number {
  if (current + columns <= last) return current + columns;
  return Math.floor(current / columns) < Math.floor(last / columns) ? last : current;
}

/** Returns the view that `v` switches to. */
export function otherView(view: ViewType): ViewType {
  return view === 'list' ? 'grid' : 'list';
}
