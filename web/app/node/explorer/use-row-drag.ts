import { type DragEvent, useRef, useState } from 'react';
import type { File } from '@bowerbird/contract';
import { carriesFiles } from '#app/ui/use-file-drop.ts';
import { beginDrag, endDrag, isCopying, mayDrop, useDragged, useSpring } from '../dragging.ts';
import type { Entries } from '../entries/entries.ts';
import { countOf, isSelected, only, type Selection } from '../entries/selection.ts';
import { isFolder } from '../file-facts.ts';
import type { Dragging } from './explorer-props.ts';

const EDGE = 48;

export function rowOf(target: EventTarget | null): number | undefined {
  const row =
    target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset['row'] : undefined;
  return row === undefined ? undefined : Number(row);
}

/** Dragging of rows, and drops onto the rows of folders. */
export function useRowDrag(options: {
  readonly drag: Dragging | undefined;
  readonly entries: Entries;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly scroller: () => HTMLElement | null;
}) {
  const { drag, entries, selection, select, scroller } = options;
  const [over, setOver] = useState<number>();
  const dragged = useDragged();
  const spring = useSpring(drag?.onSpring);
  const lastScroll = useRef(0);

  const target = (event: DragEvent): { row: number; folder: File } | undefined => {
    const row = rowOf(event.target);
    const folder = row === undefined ? undefined : entries.fileAt(row);
    if (!drag || row === undefined || !folder || !isFolder(folder) || !drag.canDropInto(folder))
      return undefined;
    const takes = carriesFiles(event)
      ? drag.onFiles !== undefined
      : mayDrop(folder.id, dragged, isCopying(event));
    return takes ? { row, folder } : undefined;
  };

  const leave = () => {
    setOver(undefined);
    spring.release();
  };

  /**
   * Browsers scroll by themselves only at the very edge, at very different speeds; this starts earlier and is
   * steady.
   */
  const creep = (event: DragEvent) => {
    const element = scroller();
    const edges = element?.getBoundingClientRect();
    const now = performance.now();
    if (!element || !edges || now - lastScroll.current < 16) return;
    lastScroll.current = now;
    if (event.clientY < edges.top + EDGE) element.scrollTop -= 10;
    else if (event.clientY > edges.bottom - EDGE) element.scrollTop += 10;
  };

  return {
    over,
    props: {
      onDragStart(event: DragEvent) {
        const row = rowOf(event.target);
        const file = row === undefined ? undefined : entries.fileAt(row);
        if (!drag || !file) return event.preventDefault();
        const isPicked = isSelected(selection, file.id);
        const what = isPicked ? selection : only(file);
        if (!isPicked) select(what);
        beginDrag(
          event,
          {
            selection: what,
            count: countOf(what, entries.total ?? entries.count),
            from: drag.folderId,
            placeOf: (id) => drag.folderId ?? entries.parentOf(id) ?? '',
            ids: () => entries.idsOf(what),
          },
          file.name,
        );
        return undefined;
      },
      onDragEnd: endDrag,
      onDragOver(event: DragEvent) {
        if (dragged) creep(event);
        const found = target(event);
        if (!found) return leave();
        event.preventDefault();
        event.stopPropagation();
        event.dataTransfer.dropEffect = carriesFiles(event) || isCopying(event) ? 'copy' : 'move';
        setOver(found.row);
        return spring.rest(found.folder.id);
      },
      onDragLeave(event: DragEvent) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) leave();
      },
      onDrop(event: DragEvent) {
        const found = target(event);
        leave();
        if (!found || !drag) return;
        event.preventDefault();
        event.stopPropagation();
        if (carriesFiles(event)) drag.onFiles?.(found.folder.id, event.dataTransfer);
        else if (dragged) drag.onDrop(found.folder.id, dragged, isCopying(event));
        endDrag();
      },
    },
  };
}
