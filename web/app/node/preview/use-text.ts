import { useEffect, useMemo, useState } from 'react';
import type { File } from '@bowerbird/contract';
import { contentUrl } from '../file-facts.ts';
import { decoded, type Encoding, guessEncoding, readBeginning, type TextBytes } from './text-file.ts';

export interface LoadedText {
  readonly state: 'ready';
  readonly content: string;
  readonly encoding: Encoding;
  readonly isCut: boolean;
}
export type TextOfFile = LoadedText | { readonly state: 'loading' | 'failed' };

/** Start of a file as text, in the chosen or the detected encoding; at most `most` bytes. */
export function useText(file: File, chosen?: Encoding, most?: number): TextOfFile {
  const url = contentUrl(file);
  const isEmpty = file.size === '0';
  const [read, setRead] = useState<{ url: string | undefined; bytes?: TextBytes }>();

  useEffect(() => {
    if (url === undefined) return setRead({ url });
    if (isEmpty) return setRead({ url, bytes: { bytes: new Uint8Array(), isCut: false } });
    const left = new AbortController();
    readBeginning(url, left.signal, most).then(
      (bytes) => setRead({ url, bytes }),
      () => {
        if (!left.signal.aborted) setRead({ url });
      },
    );
    return () => left.abort();
  }, [url, isEmpty, most]);

  return useMemo<TextOfFile>(() => {
    if (!read || read.url !== url) return { state: 'loading' };
    if (!read.bytes) return { state: 'failed' };
    const { bytes, isCut } = read.bytes;
    const encoding = chosen ?? guessEncoding(bytes);
    return { state: 'ready', content: decoded(bytes, encoding), encoding, isCut };
  }, [read, url, chosen]);
}
