import { useQuery } from '@tanstack/react-query';
import { driveApi, LIMITS, type File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { contentUrl } from '#app/node/index.ts';
import { readBeginning } from '#app/node/preview/text-file.ts';
import { openText, PLAIN, type OpenedText } from './text-content.ts';

/** A text with the file that has it. */
export interface TextFile extends OpenedText {
  readonly file: File;
}

/** A file that can't be edited here, and why. */
export type NotEditable = 'binary' | 'large';

/** Reads the present content of a file. */
export function useReadText(): (id: string) => Promise<TextFile | NotEditable> {
  const call = useCall();
  return async (id) => {
    const file = await call(driveApi.get, { params: { id }, query: {} });
    const url = contentUrl(file);
    if (Number(file.size) > LIMITS.editBytes) return 'large';
    if (file.size === '0') return { file, text: '', form: PLAIN, isExact: true };
    if (url === undefined) return 'binary';
    const { bytes } = await readBeginning(url, AbortSignal.timeout(60_000));
    const opened = openText(bytes);
    return opened ? { file, ...opened } : 'binary';
  };
}

/** The content of a file as it was when the editor was opened. */
export function useOpenedText(id: string) {
  const read = useReadText();
  return useQuery({
    queryKey: ['text', id],
    queryFn: () => read(id),
    // Another content in the middle of editing would be a surprise: the next save finds out about it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
