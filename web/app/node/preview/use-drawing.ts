import { useEffect, useState } from 'react';
import type { File } from '@bowerbird/contract';
import { contentUrl } from '../file-facts.ts';
import { readBeginning } from './text-file.ts';

/** Larger drawings are shown by their thumbnails. */
const MOST_BYTES = 4 * 1024 * 1024;
const PIECE = 0x8000;

export const isDrawing = (file: Pick<File, 'name'>): boolean => /\.svg$/i.test(file.name);

/**
 * Address of an SVG drawing for an `<img>`, which runs no scripts and loads nothing. The server never sends SVG as such,
 * so its bytes are put into a `data:` address: even if it is opened by itself, it has no access to our pages. No address
 * if it can't be read or is too large.
 */
export function useDrawing(file: File): { readonly url: string | undefined; readonly isLoading: boolean } {
  const source = isDrawing(file) ? contentUrl(file) : undefined;
  const [read, setRead] = useState<{ readonly source: string; readonly url: string | undefined }>();
  useEffect(() => {
    if (source === undefined) return undefined;
    const left = new AbortController();
    readBeginning(source, left.signal, MOST_BYTES).then(
      ({ bytes, isCut }) =>
        setRead({ source, url: isCut ? undefined : `data:image/svg+xml;base64,${base64(bytes)}` }),
      () => left.signal.aborted || setRead({ source, url: undefined }),
    );
    return () => left.abort();
  }, [source]);
  const isCurrent = source === undefined || read?.source === source;
  return { url: isCurrent ? read?.url : undefined, isLoading: !isCurrent };
}

function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  return btoa(pieces.join(''));
}
