import { type DragEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { carriesFiles } from '#app/ui/use-file-drop.ts';
import { isSelected, type Selection } from './entries/selection.ts';

/** Entries being dragged within the page. */
export interface Dragged {
  readonly selection: Selection;
  readonly count: number;
  /** Folder that they come from; a drop there does nothing unless it copies. */
  readonly from: string | undefined;
  /** Returns the folder that contains an entry. */
  readonly placeOf: (id: string) => string;
  /** Returns their ids; "all but" loads the whole folder. */
  readonly ids: () => Promise<readonly string[]>;
}

const SPRING_MS = 1000;

let dragged: Dragged | undefined;
const listeners = new Set<() => void>();

function setDragged(next: Dragged | undefined): void {
  dragged = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the entries being dragged, if any. */
export function useDragged(): Dragged | undefined {
  return useSyncExternalStore(
    subscribe,
    () => dragged,
    () => undefined,
  );
}

/** Starts dragging: a small card with the name, and the count if there are several, follows the pointer. */
export function beginDrag(event: DragEvent, next: Dragged, caption: string): void {
  const card = dragCard(caption, next.count);
  document.body.append(card);
  event.dataTransfer.effectAllowed = 'copyMove';
  event.dataTransfer.setDragImage(card, 12, 20);
  // Chromium cancels a drag if the page changes in the same tick.
  setTimeout(() => {
    card.remove();
    setDragged(next);
  });
  // A row that was removed from the page (a folder sprang open) gets no dragend; the next pointer movement ends
  // the drag.
  for (const end of ['dragend', 'pointermove'] as const)
    document.addEventListener(end, endDrag, { once: true });
}

export function endDrag(): void {
  if (dragged) setDragged(undefined);
}

function dragCard(caption: string, count: number): HTMLElement {
  const card = document.createElement('div');
  card.className =
    'fixed -top-96 left-0 flex h-10 max-w-72 items-center gap-3 rounded-control border border-line bg-card px-3 text-14 font-medium text-ink';
  if (count > 1) card.style.boxShadow = '3px 3px 0 -1px var(--card), 3px 3px 0 0 var(--line)';
  const name = document.createElement('span');
  name.className = 'truncate';
  name.textContent = caption;
  card.append(name);
  if (count > 1) {
    const badge = document.createElement('span');
    badge.className = 'rounded-full bg-blue px-2 text-12 font-semibold text-on-blue tabular-nums';
    badge.textContent = String(count);
    card.append(badge);
  }
  return card;
}

/** Ctrl (Option on a Mac) during the drop copies. */
export const isCopying = (event: DragEvent): boolean => event.ctrlKey || event.altKey;

export interface FolderDrop {
  readonly folderId: string;
  /** Handles entries dropped onto the folder. */
  readonly onDrop: (folderId: string, dragged: Dragged, copy: boolean) => void;
  /** Handles files from the desktop dropped onto the folder; without it the page handles them. */
  readonly onFiles?: ((folderId: string, data: DataTransfer) => void) | undefined;
  /** Called when the pointer has rested on the folder for a second. */
  readonly onSpring?: ((folderId: string) => void) | undefined;
}

/** Returns true if dragged entries may be dropped into the folder. */
export function mayDrop(folderId: string, what: Dragged | undefined, copy: boolean): boolean {
  return (
    what !== undefined &&
    (copy || what.from !== folderId) &&
    !(what.selection.mode === 'some' && isSelected(what.selection, folderId))
  );
}

/**
 * Makes an element a drop target for a folder: a crumb, a place in the sidebar, the area of the open folder.
 * Elements inside it that handle the drop themselves take precedence.
 */
export function useFolderDrop({ folderId, onDrop, onFiles, onSpring }: FolderDrop) {
  const [isOver, setOver] = useState(false);
  const spring = useSpring(onSpring);
  const takes = (event: DragEvent): boolean =>
    carriesFiles(event) ? onFiles !== undefined : mayDrop(folderId, dragged, isCopying(event));
  const leave = () => {
    setOver(false);
    spring.release();
  };
  return {
    isOver,
    props: {
      // Runs before elements inside have reacted; a drag that they don't accept reaches onDragOver in the same
      // event.
      onDragOverCapture: () => setOver(false),
      onDragOver(event: DragEvent) {
        if (!takes(event)) return;
        event.preventDefault();
        event.stopPropagation();
        event.dataTransfer.dropEffect = carriesFiles(event) || isCopying(event) ? 'copy' : 'move';
        setOver(true);
        spring.rest(folderId);
      },
      onDragLeave(event: DragEvent) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) leave();
      },
      onDrop(event: DragEvent) {
        if (!takes(event)) return;
        event.preventDefault();
        event.stopPropagation();
        leave();
        if (carriesFiles(event)) onFiles?.(folderId, event.dataTransfer);
        else if (dragged) onDrop(folderId, dragged, isCopying(event));
        endDrag();
      },
    },
  };
}

/** Opens a folder once the pointer has rested on it for a second. */
export function useSpring(open: ((folderId: string) => void) | undefined) {
  const latest = useRef(open);
  const resting = useRef<{ folderId: string; timer: ReturnType<typeof setTimeout> }>(undefined);
  useEffect(() => {
    latest.current = open;
  });
  const spring = useMemo(() => {
    const release = () => {
      clearTimeout(resting.current?.timer);
      resting.current = undefined;
    };
    return {
      release,
      rest(folderId: string) {
        if (resting.current?.folderId === folderId) return;
        release();
        resting.current = { folderId, timer: setTimeout(() => latest.current?.(folderId), SPRING_MS) };
      },
    };
  }, []);
  useEffect(() => spring.release, [spring]);
  return spring;
}
