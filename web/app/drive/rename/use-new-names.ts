import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { driveApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { placeOfName, type NewNames, type RenameItem } from './new-names.ts';
import type { RenameRules } from './rename-rules.ts';
import type { Asked, Said } from './rename-worker.ts';

/** Time after which a regular expression counts as one that never ends. */
const PATIENCE_MS = 3000;
/** Time that loading the worker may take. */
const LOADING_MS = 30_000;
const SETTLE_MS = 120;
const CHECKED_AT_ONCE = 1000;

export type Preview =
  | { readonly state: 'busy'; readonly last: NewNames | undefined }
  /** `rules`: those by which the names were made. */
  | { readonly state: 'ready'; readonly last: NewNames; readonly rules: RenameRules }
  /** The regular expression is invalid, or takes too long. */
  | { readonly state: 'invalid' | 'slow'; readonly last: NewNames | undefined };

/**
 * New names by rules, computed in a worker, which is ended if it takes too long. Names that other items of the folders may
 * have are looked up; `ready` means that this is done as well.
 */
export function useNewNames(
  items: readonly RenameItem[] | undefined,
  rules: RenameRules,
  locale: string,
  /** True if the items are everything in their folder, so that no other names can be in the way. */
  isEverything: boolean,
): Preview {
  const call = useCall();
  const [preview, setPreview] = useState<Preview>({ state: 'busy', last: undefined });
  const worker = useRef<Worker>(undefined);
  /** Ends the computation that has not been answered yet, and its worker. */
  const stop = useRef((): void => undefined);
  const turn = useRef(0);
  const taken = useRef(new Set<string>());
  const checked = useRef(new Set<string>());

  useEffect(
    () => () => {
      stop.current();
      worker.current?.terminate();
      worker.current = undefined;
    },
    [items],
  );

  /** Looks up those new names that no item of the selection has. Returns true if one turned out to be taken. */
  async function lookUp(names: readonly string[], isCurrent: () => boolean): Promise<boolean> {
    if (!items || isEverything) return false;
    const own = new Set(items.map(({ parent_id: folder, name }) => placeOfName(folder, name)));
    const asked = new Map<string, Set<string>>();
    for (const [at, { parent_id: folder, name }] of items.entries()) {
      const place = placeOfName(folder, names[at]!);
      if (names[at] === name || names[at] === '' || own.has(place) || checked.current.has(place)) continue;
      asked.set(folder, (asked.get(folder) ?? new Set()).add(names[at]!));
    }
    let found = false;
    for (const [folder, wanted] of asked) {
      const all = [...wanted];
      for (let at = 0; at < all.length && isCurrent(); at += CHECKED_AT_ONCE) {
        const some = all.slice(at, at + CHECKED_AT_ONCE);
        const reply = await call(driveApi.conflicts, { body: { parent_id: folder, names: some } });
        for (const name of some) checked.current.add(placeOfName(folder, name));
        for (const { name } of reply.taken) {
          taken.current.add(placeOfName(folder, name));
          found = true;
        }
      }
    }
    return found;
  }

  const compute = useEffectEvent((): void => {
    if (!items) return;
    const mine = ++turn.current;
    const isCurrent = (): boolean => mine === turn.current;
    setPreview(({ last }) => ({ state: 'busy', last }));
    const open = (): Worker => {
      const made = new Worker(new URL('./rename-worker.ts', import.meta.url), { type: 'module' });
      made.postMessage({ items } satisfies Asked);
      return made;
    };
    stop.current();
    const ask = (): void => {
      const isNew = worker.current === undefined;
      const here = (worker.current ??= open());
      const end = (): void => {
        clearTimeout(late);
        here.terminate();
        if (worker.current === here) worker.current = undefined;
        stop.current = () => undefined;
      };
      const giveUp = (): void => {
        end();
        setPreview(({ last }) => ({ state: 'slow', last }));
      };
      let late = setTimeout(giveUp, isNew ? LOADING_MS : PATIENCE_MS);
      stop.current = end;
      here.onmessage = ({ data }: MessageEvent<Said>) => {
        clearTimeout(late);
        if (data === 'loaded') {
          late = setTimeout(giveUp, PATIENCE_MS);
          return undefined;
        }
        const { result } = data;
        stop.current = () => undefined;
        if (!result) return setPreview(({ last }) => ({ state: 'invalid', last }));
        setPreview({ state: 'busy', last: result });
        lookUp(result.names, isCurrent).then(
          (found) => {
            if (!isCurrent()) return;
            if (found) ask();
            else setPreview({ state: 'ready', last: result, rules });
          },
          // The server checks again when it renames.
          () => isCurrent() && setPreview({ state: 'ready', last: result, rules }),
        );
      };
      here.postMessage({ rules, locale, taken: taken.current } satisfies Asked);
    };
    ask();
  });

  useEffect(() => {
    const waiting = setTimeout(compute, SETTLE_MS);
    return () => clearTimeout(waiting);
  }, [items, rules, locale]);

  return preview;
}
