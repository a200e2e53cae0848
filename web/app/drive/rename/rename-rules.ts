/** Place of a number or a date: before or after the name without its extension, or in place of it. */
export type Place = 'none' | 'before' | 'after' | 'replace';

/** Rules that combine, applied in this order. Positions and counts are in characters as people see them. */
export interface RenameRules {
  readonly find: string;
  readonly replacement: string;
  readonly isRegex: boolean;
  readonly matchesCase: boolean;
  /** Also searches the extension. */
  readonly inExtension: boolean;
  readonly removeCount: number;
  readonly removeAt: number;
  readonly removeFromEnd: boolean;
  readonly insert: string;
  readonly insertAt: number;
  readonly insertFromEnd: boolean;
  readonly letters: 'keep' | 'lower' | 'upper' | 'title' | 'sentence';
  readonly date: Place;
  readonly number: Place;
  readonly start: number;
  readonly step: number;
  readonly digits: number;
  /** Between the name, the number and the date. */
  readonly separator: string;
  readonly extension: 'keep' | 'lower' | 'upper' | 'change';
  readonly newExtension: string;
  readonly cleans: boolean;
}

export const NO_RULES: RenameRules = {
  find: '',
  replacement: '',
  isRegex: false,
  matchesCase: false,
  inExtension: false,
  removeCount: 0,
  removeAt: 0,
  removeFromEnd: false,
  insert: '',
  insertAt: 0,
  insertFromEnd: false,
  letters: 'keep',
  date: 'none',
  number: 'none',
  start: 1,
  step: 1,
  digits: 2,
  separator: ' ',
  extension: 'keep',
  newExtension: '',
  cleans: false,
};

const KEY = 'pp_rename_rules';
const MOST_TEXT = 255;

/** The rules of the last renaming in this browser. */
export function lastRules(): RenameRules {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return NO_RULES;
    const known = Object.entries(kept).filter(
      ([name, value]) =>
        Object.hasOwn(NO_RULES, name) &&
        typeof value === typeof NO_RULES[name as keyof RenameRules] &&
        String(value).length <= MOST_TEXT,
    );
    return { ...NO_RULES, ...Object.fromEntries(known) };
  } catch {
    return NO_RULES;
  }
}

export function keepRules(rules: RenameRules): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(rules));
  } catch {
    // Without storage, the next renaming starts without rules.
  }
}
