import { newNames, type NewNames, type RenameItem } from './new-names.ts';
import type { RenameRules } from './rename-rules.ts';

/** Messages to the worker: the items once, then rules. */
export type Asked =
  | { readonly items: readonly RenameItem[] }
  | {
      readonly rules: RenameRules;
      readonly locale: string;
      readonly taken: ReadonlySet<string>;
    };

/** `loaded` once; then results, `undefined` if the regular expression is invalid. */
export type Said = 'loaded' | { readonly result: NewNames | undefined };

let items: readonly RenameItem[] = [];

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  if ('items' in data) {
    items = data.items;
    return;
  }
  const say = (result: NewNames | undefined): void => postMessage({ result } satisfies Said);
  try {
    say(newNames(items, data.rules, data.locale, data.taken));
  } catch {
    say(undefined);
  }
});

postMessage('loaded' satisfies Said);
