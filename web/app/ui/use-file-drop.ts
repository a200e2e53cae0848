import { useRef, useState, type DragEvent } from 'react';

/** Whether the pointer carries files from outside of the page. */
export function carriesFiles(event: DragEvent | globalThis.DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/**
 * Makes an element take files from outside of the page: spread `area` on it. Whatever else is dragged passes it by. It is
 * the pointer's shortcut, so the same must be reachable by keys.
 */
export function useFileDrop(onDrop: (event: DragEvent) => void) {
  // Entering a child leaves its parent: only when all that was entered is left, the pointer is gone.
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
