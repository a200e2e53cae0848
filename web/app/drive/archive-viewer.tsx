import { useMemo, useState, type FormEvent } from 'react';
import { ChevronRight, LockKeyhole, PackageOpen } from 'lucide-react';
import { categoryOf, decompressApi, type ArchivedFile, type File } from '@bowerbird/contract';
import { useQuery } from '@tanstack/react-query';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useLocale } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { MiddleName } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { PasswordField } from '#app/ui/form/password-field.tsx';
import { Spinner } from '#app/ui/spinner.tsx';

export interface ArchiveViewerProps {
  readonly file: File;
  /** Extracts the entries with these paths, or everything. */
  readonly onExtract: (password: string, paths: readonly string[]) => void;
}

const MOST_CHOSEN = 1000;

/** Contents of an archive, folder by folder, without extracting it. */
export default function ArchiveViewer({ file, onExtract }: ArchiveViewerProps) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const [password, setPassword] = useState('');
  const [folder, setFolder] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['archive', file.id, folder, password],
    queryFn: ({ signal }) =>
      call(decompressApi.list, { body: { file_id: file.id, path: folder, password } }, { signal }),
    staleTime: Infinity,
    // The page shows the error, and a button tries again.
    retry: false,
  });

  if (error)
    return (
      <EmptyState
        className="my-auto"
        title={errorText(error)}
        actions={
          <Button busy={isFetching} onClick={() => void refetch()}>
            {t('ui.retry')}
          </Button>
        }
      />
    );
  if (data === undefined && password === '')
    return <Spinner label={t('node.preview.loading')} className="m-auto size-8 text-ink-2" />;
  if (data?.status !== 'OK')
    return (
      <Locked
        name={file.name}
        isWrong={data?.status === 'PASS_WORD_ERROR'}
        busy={data === undefined}
        onSubmit={setPassword}
      />
    );

  const toggle = (path: string, isChosen: boolean): void => {
    const after = new Set(chosen);
    if (isChosen) after.add(path);
    else after.delete(path);
    setChosen(after);
  };
  return (
    <div className="mx-auto flex size-full max-w-240 flex-col">
      <div className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
        <Way name={file.name} folder={folder} onOpen={setFolder} />
        <div className="ms-auto flex flex-wrap gap-2">
          {chosen.size > 0 && (
            <Button disabled={chosen.size > MOST_CHOSEN} onClick={() => onExtract(password, [...chosen])}>
              {t('wire.archive.extractChosen', { count: chosen.size })}
            </Button>
          )}
          <Button
            variant="primary"
            icon={<PackageOpen aria-hidden="true" />}
            onClick={() => onExtract(password, [])}
          >
            {t('wire.extract.menu')}
          </Button>
        </div>
      </div>
      {data.files.length === 0 ? (
        <p className="m-auto p-6 text-ink-2">{t('wire.archive.empty')}</p>
      ) : (
        <Contents
          label={t('wire.archive.label', { name: shownName(file.name) })}
          files={data.files}
          chosen={chosen}
          onToggle={toggle}
          onOpen={setFolder}
        />
      )}
    </div>
  );
}

/** Path of folders to the one that is shown. */
function Way({ name, folder, onOpen }: { name: string; folder: string; onOpen: (path: string) => void }) {
  const t = useT();
  const segments = folder === '' ? [] : folder.split('/');
  const steps = [name, ...segments].map((text, at) => ({ text, path: segments.slice(0, at).join('/') }));
  return (
    <nav aria-label={t('wire.archive.way')} className="min-w-0">
      <ol className="flex min-w-0 flex-wrap items-center gap-x-1">
        {steps.map(({ text, path }, at) => (
          <li key={path} className="flex max-w-60 min-w-0 items-center gap-1">
            {at > 0 && <ChevronRight aria-hidden="true" className="size-4 text-ink-3 rtl:-scale-x-100" />}
            <button
              type="button"
              aria-current={at === steps.length - 1 ? 'true' : undefined}
              onClick={() => onOpen(path)}
              className="min-w-0 truncate rounded-control px-1.5 py-1 text-ink-2 hover:bg-hover hover:text-ink aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:py-2.5"
            >
              <bdi>{shownName(text)}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface ContentsProps {
  readonly label: string;
  readonly files: readonly ArchivedFile[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (path: string, isChosen: boolean) => void;
  readonly onOpen: (path: string) => void;
}

function Contents({ label, files, chosen, onToggle, onOpen }: ContentsProps) {
  const t = useT();
  const format = useFormat();
  const locale = useLocale();
  const sorted = useMemo(() => {
    const { compare } = new Intl.Collator(locale, { numeric: true });
    const rank = ({ kind }: ArchivedFile): number => (kind === 'drive#folder' ? 0 : 1);
    return files.toSorted((a, b) => rank(a) - rank(b) || compare(a.filename, b.filename));
  }, [files, locale]);
  return (
    <ul aria-label={label} className="min-h-0 flex-1 overflow-y-auto px-2 pb-6">
      {sorted.map((file) => {
        const isFolder = file.kind === 'drive#folder';
        return (
          <li
            key={`${file.kind} ${file.path} ${file.index}`}
            style={{ contentVisibility: 'auto', containIntrinsicSize: 'auto 52px' }}
            className="flex h-13 items-center gap-3 rounded-control px-2 hover:bg-hover"
          >
            <Checkbox
              aria-label={t('node.select', { name: shownName(file.filename) })}
              isSelected={chosen.has(file.path)}
              onChange={(isChosen) => onToggle(file.path, isChosen)}
            />
            <FileTile category={isFolder ? 'folder' : categoryOf(file.filename)} size={32} />
            {isFolder ? (
              <button
                type="button"
                onClick={() => onOpen(file.path)}
                className="flex min-h-11 min-w-0 flex-1 items-center text-start"
              >
                <MiddleName name={file.filename} kind="folder" />
              </button>
            ) : (
              <MiddleName name={file.filename} kind="file" className="min-w-0 flex-1" />
            )}
            {!isFolder && (
              <span className="shrink-0 text-13 text-ink-2 tabular-nums">{format.bytes(file.filesize)}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Locked({
  name,
  isWrong,
  busy,
  onSubmit,
}: {
  name: string;
  isWrong: boolean;
  busy: boolean;
  onSubmit: (password: string) => void;
}) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setMissing(typed === '');
    if (typed !== '') onSubmit(typed);
  };
  const problem = isMissing
    ? t('error.unzip_password_required')
    : isWrong && !busy
      ? t('error.unzip_password_incorrect')
      : undefined;
  return (
    <form onSubmit={submit} className="m-auto flex w-full max-w-90 flex-col gap-4 p-6">
      <LockKeyhole aria-hidden="true" className="mx-auto size-10 text-ink-3" />
      <h2 className="text-center text-16 font-semibold [overflow-wrap:anywhere]">
        {t('wire.unlock.title', { name })}
      </h2>
      <PasswordField
        label={t('wire.unlock.password')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={problem}
        autoComplete="off"
        maxLength={1024}
      />
      <Button variant="primary" type="submit" busy={busy}>
        {t('wire.archive.open')}
      </Button>
    </form>
  );
}
