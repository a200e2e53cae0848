import { useQuery } from '@tanstack/react-query';
import { History, X } from 'lucide-react';
import { driveApi, shareApi, type File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useViewer } from '#app/api/viewer.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import {
  FileDetails,
  isFolder,
  isSelected,
  SelectionDetails,
  type BarAction,
  type Entries,
  type Selecting,
} from '#app/node/index.ts';
import { OWN_SHARES } from '#app/share/own/index.ts';
import { Button } from '#app/ui/button.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { folderHref, pathQuery } from './drive-data.ts';
import { NoteField } from './note/note-field.tsx';
import { ItemTags } from './tag/item-tags.tsx';

/** Details of the selection, beside the list; full screen on phones. */
export function DetailsPanel({
  file,
  entries,
  selecting,
  actions,
  onHistory,
  onTags,
  onClose,
}: {
  file: File | undefined;
  entries: Entries;
  selecting: Selecting;
  /** Actions for several entries. */
  actions: readonly BarAction[];
  onHistory: (file: File) => void;
  onTags: (file: File) => void;
  onClose: () => void;
}) {
  const t = useT();
  return (
    <aside
      aria-label={t('drive.menu.details')}
      className="flex w-80 shrink-0 flex-col overflow-y-auto border-l border-line bg-card max-md:fixed max-md:inset-0 max-md:z-40 max-md:w-full"
    >
      <header className="flex h-14 shrink-0 items-center justify-between pr-2 pl-5">
        <h2 className="font-semibold">{t('drive.menu.details')}</h2>
        <IconButton label={t('ui.close')} icon={<X />} onClick={onClose} />
      </header>
      {file ? (
        <OneFile key={file.id} file={file} onHistory={() => onHistory(file)} onTags={() => onTags(file)} />
      ) : selecting.count > 1 ? (
        <SelectionDetails
          selecting={selecting}
          files={selectedFiles(entries, selecting)}
          actions={actions.filter(({ id }) => id !== 'details')}
        />
      ) : (
        <p className="px-5 py-10 text-center text-ink-3">{t('drive.details.nothing')}</p>
      )}
    </aside>
  );
}

/** Larger selections are counted, but not examined. */
const LOOKED_AT = 5000;

/** Returns the selected entries; `undefined` if some of them are not loaded. */
function selectedFiles(entries: Entries, { selection, count }: Selecting): readonly File[] | undefined {
  if (count > LOOKED_AT) return undefined;
  const files: File[] = [];
  for (const row of entries.known({ from: 0, to: Number.POSITIVE_INFINITY })) {
    const file = isSelected(selection, row.id) ? entries.fileOf(row.id) : undefined;
    if (file) files.push(file);
  }
  return files.length === count ? files : undefined;
}

function OneFile({ file, onHistory, onTags }: { file: File; onHistory: () => void; onTags: () => void }) {
  const t = useT();
  const call = useCall();
  const whole = useQuery({
    queryKey: ['file', file.id],
    queryFn: () => call(driveApi.get, { params: { id: file.id }, query: { thumbnail_size: 'SIZE_LARGE' } }),
    enabled: !isFolder(file),
  });
  // Tags and notes are the member's own; files of others have none here.
  const isOwn = file.user_id === useViewer()?.sub;
  const path = useQuery(pathQuery(call, file.parent_id));
  const shares = useQuery({
    queryKey: [...OWN_SHARES, file.id],
    queryFn: () => call(shareApi.listOwn, { query: { file_id: file.id, limit: 20 } }),
  });
  const parent = path.data?.ancestors.at(-1)?.name ?? t('drive.files');
  return (
    <FileDetails
      file={whole.data ?? file}
      location={
        <LocaleLink
          to={folderHref(file.parent_id)}
          className="text-blue-strong underline-offset-2 hover:underline"
        >
          {parent}
        </LocaleLink>
      }
    >
      {isOwn && <ItemTags file={file} onEdit={onTags} />}
      {isOwn && <NoteField file={file} />}
      {isOwn && !isFolder(file) && (
        <Button size="s" icon={<History />} onClick={onHistory} className="justify-self-start">
          {t('drive.history.title')}
        </Button>
      )}
      {shares.data && shares.data.data.length > 0 && (
        <section className="mt-5">
          <h3 className="mb-2 text-13 font-semibold text-ink-2">{t('drive.details.shares')}</h3>
          <ul className="grid gap-1.5">
            {shares.data.data.map((share) => (
              <li key={share.share_id}>
                <a
                  href={share.share_url}
                  className="block truncate text-blue-strong underline-offset-2 hover:underline"
                >
                  {share.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </FileDetails>
  );
}
