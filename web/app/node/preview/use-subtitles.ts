import { useEffect, useState } from 'react';
import type { File } from '@bowerbird/contract';
import { useLocale } from '#app/i18n/locale.tsx';
import { contentUrl } from '../file-facts.ts';
import { asWebVtt, type SubtitleFile, subtitlesOf } from './subtitles.ts';
import { decoded, guessEncoding, readBeginning } from './text-file.ts';

/** The subtitles beside a video; the chosen one is read, made WebVTT and shown by the browser. */
export function useSubtitles(video: File, beside: readonly File[], element: HTMLVideoElement | null) {
  const locale = useLocale();
  const found: readonly SubtitleFile[] = subtitlesOf(video, beside);
  const [shown, show] = useState<string>();
  const chosen = found.find(({ file }) => file.id === shown);
  const url = chosen && contentUrl(chosen.file);
  const { name } = chosen?.file ?? { name: '' };
  const label = chosen?.label ?? '';

  useEffect(() => {
    if (!element || url === undefined) return undefined;
    const left = new AbortController();
    let address = '';
    const track = document.createElement('track');
    track.kind = 'subtitles';
    track.label = label;
    void readBeginning(url, left.signal).then(
      ({ bytes }) => {
        const text = asWebVtt(decoded(bytes, guessEncoding(bytes, locale)), name);
        address = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }));
        track.src = address;
        element.append(track);
        track.track.mode = 'showing';
      },
      () => undefined,
    );
    return () => {
      left.abort();
      track.remove();
      URL.revokeObjectURL(address);
    };
  }, [element, url, name, label, locale]);

  return { found, shown, show };
}
