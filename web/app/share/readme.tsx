import { lazy, Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { BookOpenText } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { shownName } from '#app/node/name/shown-name.ts';
import { useText } from '#app/node/preview/use-text.ts';

const Markdown = lazy(() => import('#app/node/preview/markdown.tsx'));

const NAME = /^readme(?:\.md|\.markdown|\.txt)?$/i;
/** Size limit: larger files are more like books, and are opened instead. */
const MOST_BYTES = 256 * 1024;

/** Returns the README of a folder. */
export function readmeOf(files: readonly File[]): File | undefined {
  return files.find(
    (file) => file.kind === 'drive#file' && NAME.test(file.name) && Number(file.size) <= MOST_BYTES,
  );
}

/** Shows a folder's README below its list. */
export function Readme({ file, load }: { file: File; load: (id: string) => Promise<File> }) {
  const opened = useQuery({
    queryKey: ['share', 'readme', file.id, file.hash],
    queryFn: () => load(file.id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return opened.data ? <Page file={opened.data} /> : null;
}

function Page({ file }: { file: File }) {
  const text = useText(file);
  if (text.state !== 'ready' || text.content.trim() === '') return null;
  return (
    <Suspense>
      <section aria-label={shownName(file.name)} className="mt-8 rounded-card border border-line bg-card">
        <h2 className="flex min-h-11 items-center gap-2.5 border-b border-line px-5 text-13 font-semibold text-ink-2 max-md:px-4">
          <BookOpenText aria-hidden="true" />
          <bdi>{shownName(file.name)}</bdi>
        </h2>
        <div className="px-8 py-7 max-md:px-4 max-md:py-5">
          {file.name.toLowerCase().endsWith('.txt') ? (
            <pre className="font-sans whitespace-pre-wrap">{text.content}</pre>
          ) : (
            <Markdown source={text.content} className="max-w-180" />
          )}
        </div>
      </section>
    </Suspense>
  );
}
