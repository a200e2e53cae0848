import type { File } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Breadcrumb, useContentsText, type Entries } from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { spaceHref, type Shown, type Sums } from './space-data.ts';

const WHOLE = { from: 0, to: Number.POSITIVE_INFINITY };

/** Files beyond the first copy of each content, as far as the list is loaded. */
function extraCopies(entries: Entries): File[] {
  return entries.known(WHOLE).flatMap(({ id }) => {
    const file = entries.fileOf(id);
    return file && file.params['copy'] !== '1' ? [file] : [];
  });
}

/** Line above the list about it: the open folder with its size, or what could be gained. */
export function SpaceSummary({
  shown: { view, folderId },
  ancestors,
  whole,
  sums,
  entries,
  onSelect,
}: {
  readonly shown: Shown;
  /** Folders above the open one, and it itself. */
  readonly ancestors: readonly { readonly id: string; readonly name: string }[];
  readonly whole: { readonly bytes: number; readonly folder?: File } | undefined;
  readonly sums: Sums | undefined;
  readonly entries: Entries;
  readonly onSelect: (files: readonly File[]) => void;
}) {
  const t = useT();
  const format = useFormat();
  const contentsText = useContentsText();
  const frame =
    'flex min-h-13 shrink-0 flex-wrap items-center justify-between gap-x-6 gap-y-1 px-6 py-2 text-13 text-ink-2 max-md:px-4';
  if (view === 'folders') {
    const contents = whole?.folder && contentsText([whole.folder]);
    return (
      <div className={frame}>
        <Breadcrumb
          crumbs={[
            { id: '', name: t('drive.files'), href: spaceHref({ view, folderId: '' }) },
            ...ancestors.map(({ id, name }) => ({ id, name, href: spaceHref({ view, folderId: id }) })),
          ]}
        />
        {whole && (
          <p className="num" key={folderId}>
            <b className="font-semibold text-ink">{format.bytes(whole.bytes)}</b>
            {contents !== undefined && ` · ${contents}`}
          </p>
        )}
      </div>
    );
  }
  if (entries.count === 0) return null;
  if (view === 'duplicates')
    return (
      <div className={frame}>
        <p className="max-w-160">
          {sums && sums.groups > 0
            ? t('space.duplicates', { count: sums.groups, size: format.bytes(Number(sums.gain)) })
            : ''}
        </p>
        <Button size="s" onClick={() => onSelect(extraCopies(entries))}>
          {t('space.selectExtra')}
        </Button>
      </div>
    );
  return (
    <div className={frame}>
      <p className="max-w-160">{t(`space.about.${view}`)}</p>
    </div>
  );
}
