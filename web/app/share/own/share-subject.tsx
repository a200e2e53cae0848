import { Files } from 'lucide-react';
import type { File, OwnShare } from '@bowerbird/contract';
import { useT, type T } from '#app/i18n/t.ts';
import { kindOf, SmallTile } from '#app/node/index.ts';

export type Items = Extract<ShareSubject, { readonly ids: readonly string[] }>;

/** Title of a new share: the name of a single item, or the number of items. */
export const titleOf = ({ ids, files }: Items, t: T): string =>
  ids.length === 1 && files[0] ? files[0].name : t('drive.share.items', { count: ids.length });

const NAMED = 3;

/** Shows the items that are about to be shared. */
export function Subject(items: Items) {
  const t = useT();
  const { ids, files } = items;
  const [first] = files;
  const names = files.slice(0, NAMED).map(({ name }) => name);
  return (
    <div className="flex items-center gap-3 rounded-card border border-line bg-sunken px-3 py-2.5">
      {ids.length === 1 && first ? (
        <SmallTile file={first} kind={kindOf(first)} size={36} />
      ) : (
        <span className="grid size-9 shrink-0 place-items-center rounded-control bg-blue-wash text-blue">
          <Files aria-hidden="true" />
        </span>
      )}
      <span className="grid min-w-0">
        <b className="truncate font-semibold">{titleOf(items, t)}</b>
        {ids.length > 1 && names.length > 0 && (
          <span className="truncate text-13 text-ink-2">
            {names.join(', ')}
            {ids.length > names.length && ', …'}
          </span>
        )}
      </span>
    </div>
  );
}

export type ShareSubject =
  | { readonly ids: readonly string[]; readonly files: readonly File[] }
  | { readonly share: OwnShare };
