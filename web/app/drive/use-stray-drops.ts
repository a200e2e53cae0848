import { useEffect } from 'react';
import { carriesFiles } from '#app/ui/use-file-drop.ts';

function refuse(event: DragEvent): void {
  if (event.defaultPrevented || !carriesFiles(event)) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
}

/** Rejects files from the desktop that miss every drop target: the browser would leave the drive to open them. */
export function useStrayDrops(): void {
  useEffect(() => {
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
}
