import { useEffect, useEffectEvent } from 'react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { parseLinks, useOffline } from '#app/offline/index.ts';
import { useUploads, type Target } from '#app/upload/index.ts';
import { isElsewhere } from './key-help.tsx';

/** Name that browsers use for every picture from a clipboard. */
const NAMELESS = /^image\.(png|jpe?g|gif|webp)$/;

/**
 * Handles a paste anywhere on the page: entries cut or copied in the drive (`pasteHeld`, false if there are
 * none), otherwise files and pictures of the system's clipboard, which are uploaded, or links in its text, which
 * become cloud downloads.
 */
export function usePaste(target: Target, pasteHeld: () => boolean): void {
  const t = useT();
  const format = useFormat();
  const { add } = useUploads();
  const { addLinks } = useOffline();
  const { origin } = usePageFrame();
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event)) return;
    if (pasteHeld()) return event.preventDefault();
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (parseLinks(text, origin).links.length === 0) return undefined;
      event.preventDefault();
      return addLinks(target.id === '' ? { text } : { text, target });
    }
    event.preventDefault();
    const time = format.dateTime(new Date().toISOString()).replaceAll(':', '.');
    const named = files.map((file) => {
      const extension = NAMELESS.exec(file.name)?.[1];
      return extension === undefined
        ? file
        : new File([file], `${t('upload.pastedName', { time })}.${extension}`, { type: file.type });
    });
    return add(named, target);
  });
  useEffect(() => {
    addEventListener('paste', onPaste);
    return () => removeEventListener('paste', onPaste);
  }, []);
}
