import { type KeyboardEvent, useRef } from 'react';
import { isEmpty } from '../entries/selection.ts';
import type { ExplorerProps } from './explorer-props.ts';
import { type KeyMeaning, meaningOf, rowAfter } from './keyboard.ts';
import { findTyped, isTyping, NOTHING_TYPED, typedMore } from './typeahead.ts';
import type { CurrentRow } from './use-current-row.ts';
import type { Picking } from './use-picking.ts';
import type { Tiling } from './use-tiling.ts';

/** Actions that need no entry. */
const OF_THE_FOLDER = new Set(['paste', 'toggle-view', 'details']);

/** Keyboard of a list; see `meaningOf` for its table. */
export function useExplorerKeys(
  props: ExplorerProps,
  parts: {
    readonly current: CurrentRow;
    readonly picking: Picking;
    readonly tiling: Tiling;
    readonly openMenu: () => void;
  },
) {
  const { entries, selecting, onOpen, onAction, onParent, menu } = props;
  const { current, picking, tiling, openMenu } = parts;
  const typed = useRef(NOTHING_TYPED);

  const goTo = (row: number, how: 'replace' | 'extend' | 'only-focus') => {
    tiling.reveal(row);
    current.move(row, true);
    if (how === 'replace') picking.pick(row);
    else if (how === 'extend') picking.extend(row, false);
  };

  const type = (letter: string) => {
    typed.current = typedMore(typed.current, letter, performance.now());
    const row = findTyped(typed.current.text, entries.count, current.row, (at) => entries.fileAt(at)?.name);
    if (row !== undefined) goTo(row, 'replace');
  };

  /** Returns false to leave the key to the browser and the surrounding page. */
  const obey = (meaning: KeyMeaning, event: KeyboardEvent): boolean => {
    switch (meaning.do) {
      case 'move': {
        const lie = {
          count: entries.count,
          columns: tiling.geometry?.columns ?? 1,
          lines: tiling.lines(),
          rightToLeft: getComputedStyle(event.currentTarget).direction === 'rtl',
        };
        const row = rowAfter(meaning.by, current.row, lie);
        if (row !== undefined) goTo(row, meaning.how);
        return row !== undefined;
      }
      case 'type':
        type(meaning.letter);
        return true;
      case 'toggle':
        picking.toggle(current.row);
        return true;
      case 'select-all':
        selecting.selectAll();
        return true;
      case 'clear':
        if (!selecting.isActive) return false;
        selecting.clear();
        return true;
      case 'open': {
        const file = entries.fileAt(current.row);
        if (file) onOpen(file);
        return true;
      }
      case 'parent':
        onParent?.();
        return onParent !== undefined;
      case 'menu':
        if (menu) openMenu();
        return menu !== undefined;
      case 'act': {
        const selection = picking.meant();
        if (!onAction || (isEmpty(selection) && !OF_THE_FOLDER.has(meaning.action))) return false;
        // Copying selected text is the browser's job.
        if (meaning.action === 'copy' && window.getSelection()?.isCollapsed === false) return false;
        return onAction(meaning.action, selection) !== false;
      }
    }
  };

  return (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if ((event.target as Element).closest('input, textarea, [role=columnheader]')) return;
    const meaning = meaningOf(event, isTyping(typed.current, performance.now()));
    if (!meaning || !obey(meaning, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
