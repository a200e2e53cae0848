import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router';
import { useCall } from '#app/api/client.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { folderHref, pathQuery } from '../drive-data.ts';
import { TreeFolder } from './tree-folder.tsx';
import { rowId, treeMove, treeRows, type TreeRow } from './tree-rows.ts';
import { changeTree, useTreeState } from './tree-state.ts';
import { useLevels } from './use-levels.ts';

/** Section of the sidebar with the tree of folders, which can be hidden. */
export function FolderTree({ user }: { user: string }) {
  const t = useT();
  const { isShown } = useTreeState(user);
  return (
    <section className="mt-4">
      <h2>
        <button
          type="button"
          aria-expanded={isShown}
          onClick={() => changeTree(user, ({ isShown: was }) => ({ isShown: !was }))}
          className="flex h-8 w-full items-center gap-1 rounded-control ps-3 text-12 font-semibold text-ink-3 hover:text-ink pointer-coarse:h-11"
        >
          {t('drive.tree.folders')}
          <ChevronRight
            aria-hidden="true"
            className={cx('size-4! transition-transform', isShown ? 'rotate-90' : 'rtl:-scale-x-100')}
          />
        </button>
      </h2>
      {isShown && <Tree user={user} />}
    </section>
  );
}

const ROOT = [''];

/** Tree of folders by the ARIA pattern: one of its rows can be focused by Tab, and arrow keys move between them. */
function Tree({ user }: { user: string }) {
  const t = useT();
  const navigate = useNavigate();
  const path = useLocalePath();
  const call = useCall();
  const box = useRef<HTMLDivElement>(null);
  const { open } = useTreeState(user);
  const { levels, gone, failed, more } = useLevels([...ROOT, ...open]);
  const [focused, setFocused] = useState<string>();
  const here = useOpenFolder();
  const way = useQuery({ ...pathQuery(call, here ?? ''), enabled: here !== undefined && here !== '' });
  const above = (way.data?.ancestors ?? []).map(({ id }) => id).filter((id) => id !== '' && id !== here);
  const rows = treeRows(levels, new Set(open));
  const at = Math.max(
    0,
    rows.findIndex((row) => rowId(row) === (focused ?? here)),
  );

  const toggle = (id: string): void =>
    changeTree(user, ({ open: known }) => ({
      open: known.includes(id) ? known.filter((one) => one !== id) : [...known, id],
    }));
  const follow = (row: TreeRow): void => {
    setFocused(rowId(row));
    if (row.what === 'folder') void navigate(path(folderHref(row.folder.id)));
    else void more(row.parent);
  };

  // The folders above the open one are opened once for each place that is gone to.
  const reveal = useEffectEvent(() => {
    setFocused(undefined);
    const closed = above.filter((id) => !open.includes(id));
    if (closed.length > 0) changeTree(user, ({ open: known }) => ({ open: [...known, ...closed] }));
  });
  const wayTo = above.join(' ');
  useEffect(() => {
    reveal();
  }, [here, wayTo]);
  const forget = useEffectEvent(() =>
    changeTree(user, ({ open: known }) => ({ open: known.filter((id) => !gone.includes(id)) })),
  );
  const isAnyGone = gone.length > 0;
  useEffect(() => {
    if (isAnyGone) forget();
  }, [isAnyGone]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[at];
    if (row && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      follow(row);
      return;
    }
    const move = treeMove(mirrored(event), rows, at);
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    if ('toggle' in move) toggle(move.toggle);
    else {
      setFocused(rowId(rows[move.to]!));
      box.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[move.to]?.focus();
    }
  };

  if (failed.includes(''))
    return (
      <Button size="s" variant="plain" className="ms-1" onClick={() => void more('')}>
        {t('ui.retry')}
      </Button>
    );
  if (levels.has('') && rows.length === 0)
    return <p className="px-3 py-1 text-13 text-ink-3">{t('node.picker.empty')}</p>;
  return (
    <div ref={box} role="tree" tabIndex={-1} aria-label={t('drive.tree.folders')} onKeyDown={onKeyDown}>
      {rows.map((row, index) =>
        row.what === 'folder' ? (
          <TreeFolder
            key={row.folder.id}
            row={row}
            count={levels.get(row.parent)?.folders.length ?? 0}
            isHere={row.folder.id === here}
            isFocusable={index === at}
            onFollow={() => follow(row)}
            onToggle={() => toggle(row.folder.id)}
            onSpring={() => !row.isOpen && toggle(row.folder.id)}
          />
        ) : (
          // Keys are handled by the tree.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={rowId(row)}
            role="treeitem"
            aria-level={row.level}
            aria-selected={false}
            tabIndex={index === at ? 0 : -1}
            onClick={() => follow(row)}
            style={{ paddingInlineStart: 12 + row.level * 16 }}
            className="tree-row cursor-pointer text-blue-strong"
          >
            {t('drive.tree.more')}
          </div>
        ),
      )}
    </div>
  );
}

/** Id of the folder whose page is open; '' for the drive itself, undefined elsewhere. */
function useOpenFolder(): string | undefined {
  const { pathname } = useLocation();
  const [, id] = /\/drive\/all(?:\/([^/]+))?\/?$/.exec(pathname) ?? [undefined, undefined];
  return pathname.includes('/drive/all') ? (id ?? '') : undefined;
}

/** Key as in a tree that is read from left to right. */
function mirrored({ key, currentTarget }: KeyboardEvent): string {
  if (getComputedStyle(currentTarget).direction !== 'rtl') return key;
  return key === 'ArrowLeft' ? 'ArrowRight' : key === 'ArrowRight' ? 'ArrowLeft' : key;
}
