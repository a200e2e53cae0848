import { useEffect, useEffectEvent } from 'react';
import { isElsewhere } from '../key-help.tsx';

/** Calls `onKey` for the key that searches, wherever the focus is on the page. */
export function useSlashKey(onKey: () => boolean): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '/' || event.defaultPrevented || isElsewhere(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // A list in which somebody is typing a name prevents this key, too.
    if (onKey()) event.preventDefault();
  });
  useEffect(() => {
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
}
