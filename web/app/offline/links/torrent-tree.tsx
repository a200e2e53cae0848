import { useMemo, useState, useSyncExternalStore } from 'react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { TextField } from '#app/ui/form/text-field.tsx';
import type { FileTree, TreeRow } from './file-tree.ts';
import { TorrentChoiceMenu } from './torrent-choice-menu.tsx';
import { TorrentRows } from './torrent-rows.tsx';

/**
 * Files of a torrent, each to be chosen; collapsed at first, however many there are. `isReadOnly` only shows
 * them.
 */
export function TorrentTree({
  name,
  tree,
  isWhole,
  isReadOnly = false,
}: {
  name: string;
  tree: FileTree;
  /** False while files are still loading. */
  isWhole: boolean;
  isReadOnly?: boolean;
}) {
  const t = useT();
  const format = useFormat();
  const version = useSyncExternalStore(tree.subscribe, tree.version, tree.version);
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(() => {
    const only = tree.onlyFolder();
    return new Set(only === undefined ? [] : [only]);
  });
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the tree is changed in place and counts its versions
  const rows = useMemo(() => tree.rows(open, filter), [tree, open, filter, version]);
  const totals = tree.totals();
  const fold = (path: string, isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen) next.add(path);
    else next.delete(path);
    setOpen(next);
  };
  const choose = (row: TreeRow): void => {
    if (isReadOnly) return;
    if (row.kind === 'file') tree.chooseFile(row.place, !row.isChosen);
    else tree.chooseFolder(row.path, row.chosen < row.count);
  };

  return (
    <div className="rounded-card border border-line bg-card">
      <div className="flex items-center gap-2 border-b border-line p-2">
        <TextField
          label={t('offline.tree.filter')}
          hideLabel
          type="search"
          placeholder={t('offline.tree.filter')}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          className="min-w-0 flex-1 [&_input]:h-9 max-md:[&_input]:h-11"
        />
        {!isReadOnly && <TorrentChoiceMenu tree={tree} filter={filter} isDisabled={!isWhole} />}
      </div>
      <TorrentRows
        label={t('offline.tree.label', { name })}
        rows={rows}
        isReadOnly={isReadOnly}
        isOpen={(path) => open.has(path)}
        onFold={fold}
        onChoose={choose}
      />
      <p role="status" className="num border-t border-line px-3 py-2 text-13 text-ink-2">
        {isReadOnly
          ? t('offline.tree.total', { count: totals.count, size: format.bytes(totals.bytes) })
          : t('offline.tree.chosen', {
              chosen: totals.chosen,
              count: totals.count,
              size: format.bytes(totals.chosenBytes),
            })}
        {!isWhole && ` · ${t('offline.tree.more')}`}
      </p>
    </div>
  );
}
