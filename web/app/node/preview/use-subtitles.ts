import { useEffect, useRef, useState } from 'react';
import { contentUrl } from '../file-facts.ts';
import { asWebVtt, type SubtitleFile, subtitlesOf } from './subtitles.ts';
import { decoded, guessEncoding, readBeginning } from './text-file.ts';
import type { ViewerProps } from './viewer-props.ts';

/** Subtitles of a video; the chosen file is read, converted to WebVTT and shown by the browser. */
export function useSubtitles({ file: video, beside, load }: ViewerProps, element: HTMLVideoElement | null) {
  const found: readonly SubtitleFile[] = subtitlesOf(video, beside);
  const [shown, show] = useState<string>();
  const chosen = found.find(({ file }) => file.id === shown);
  const { id, name } = chosen?.file ?? { id: undefined, name: '' };
  const listedUrl = chosen && contentUrl(chosen.file);
  const label = chosen?.label ?? '';
  const latestLoad = useRef(load);
  useEffect(() => {
    latestLoad.current = load;
  });

  useEffect(() => {
    if (!element || id === undefined) return undefined;
    const left = new AbortController();
    let address = '';
    const track = document.createElement('track');
    track.kind = 'subtitles';
    track.label = label;
    const read = async () => {
      const url = listedUrl ?? contentUrl(await latestLoad.current(id)) ?? '';
      return readBeginning(url, left.signal);
    };
    void read().then(
      ({ bytes }) => {
        if (left.signal.aborted) return;
        const text = asWebVtt(decoded(bytes, guessEncoding(bytes)), name);
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
  }, [element, id, listedUrl, name, label]);

  return { found, shown, show };
}
