import { useRef, useState, type DragEvent } from 'react';

/** Returns true if the dragged items are files from outside the page. */
export function carriesFiles(event: DragEvent | globalThis.DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/**
 * Makes an element a drop target for files from outside the page: spread `area` on it. Other drags are ignored.
 * Dropping is a shortcut for the pointer, so the same action must be available by keyboard.
 */
export function useFileDrop(onDrop: (event: DragEvent) => void) {
  // Entering a child fires a leave event on its parent: the pointer has left once every entered element is left.
  const depth = useRef(0);
  const [isOver, setOver] = useState(false);
  const leave = (): void => {
    depth.current = 0;
    setOver(false);
  };
  return {
    isOver,
    area: {
      onDragEnter(event: DragEvent) {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        depth.current += 1;
        setOver(true);
      },
      onDragOver(event: DragEvent) {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave(event: DragEvent) {
        if (!carriesFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) leave();
      },
      onDrop(event: DragEvent) {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        leave();
        onDrop(event);
      },
    },
  };
}
