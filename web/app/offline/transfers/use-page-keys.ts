import { useEffect, useEffectEvent } from 'react';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { parseLinks } from '../links/parse-links.ts';
import { useOffline } from '../offline-frame.ts';

/** Returns true if keys and pastes belong to a field, a dialog or a menu. */
function isElsewhere(event: Event): boolean {
  const target = event.target instanceof Element ? event.target : undefined;
  return (
    target?.closest('input:not([type=checkbox]), textarea, select, [role=menu]') != null ||
    document.querySelector('dialog[open]') !== null
  );
}

/**
 * Ctrl+A selects all and Esc clears the selection wherever the focus is on the page; pasted links are downloaded.
 */
export function usePageKeys({ selectAll, clear }: { selectAll: () => void; clear: () => void }): void {
  const { addLinks } = useOffline();
  const { origin } = usePageFrame();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event)) return;
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      selectAll();
    }
    if (event.key === 'Escape') clear();
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event)) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (parseLinks(text, origin).links.length === 0) return;
    event.preventDefault();
    addLinks({ text });
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('paste', onPaste);
    };
  }, []);
}
