import { useRef, useState } from 'react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Check, CircleAlert } from 'lucide-react';
import { categoryOf, offlineApi, type FileStatus, type Task } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { Segmented } from '#app/ui/form/segmented.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { TRANSFERS } from './transfer-cache.ts';
import type { Transfer } from './transfer-facts.ts';
import { useNearEnd } from './use-near-end.ts';

const PAGE = 200;
const ROW = 44;

/** Files of a transfer, each with its own state. */
export function TransferFiles({ task, transfer }: { task: Task; transfer: Transfer }) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const [shows, setShows] = useState<'all' | 'failed'>('all');
  const files = useInfiniteQuery({
    queryKey: [...TRANSFERS, 'files', task.id, shows],
    queryFn: ({ pageParam, signal }) =>
      call(
        offlineApi.statuses,
        {
          params: { id: task.id },
          query: { limit: PAGE, page_token: pageParam, ...(shows === 'failed' ? { failed: 'true' } : {}) },
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token || undefined,
    placeholderData: keepPreviousData,
  });
  const [first] = files.data?.pages ?? [];
  const rows = files.data?.pages.flatMap(({ statuses }) => statuses) ?? [];

  return (
    <section aria-label={t('transfers.files.label', { name: shownName(transfer.name) })}>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2 pb-2">
        <p className="num text-13 text-ink-2">
          {first && t('transfers.files.counts', { done: first.complete, count: first.total })}
          {first && first.failed > 0 && (
            <span className="text-danger">{` · ${t('transfers.files.failed', { count: first.failed })}`}</span>
          )}
        </p>
        {first && (first.failed > 0 || shows === 'failed') && (
          <Segmented
            label={t('transfers.files.show')}
            value={shows}
            onChange={setShows}
            options={[
              { value: 'all', label: t('transfers.files.all') },
              { value: 'failed', label: t('transfers.files.onlyFailed') },
            ]}
          />
        )}
      </div>
      {files.isPending && <Skeleton className="h-22" />}
      {files.isError && rows.length === 0 && <p className="text-13 text-danger">{text(files.error)}</p>}
      {rows.length > 0 && (
        <Rows
          label={t('transfers.files.label', { name: shownName(transfer.name) })}
          rows={rows}
          folderId={transfer.isFolder ? transfer.fileId : transfer.folderId}
          onEnd={() => {
            if (files.hasNextPage && !files.isFetchingNextPage) void files.fetchNextPage();
          }}
        />
      )}
    </section>
  );
}

function Rows({
  label,
  rows,
  folderId,
  onEnd,
}: {
  label: string;
  rows: readonly FileStatus[];
  folderId: string;
  onEnd: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 4,
  });
  const shown = list.getVirtualItems();
  useNearEnd(shown.at(-1)?.index, rows.length, onEnd);
  return (
    <div
      ref={box}
      role="list"
      aria-label={label}
      // A scrollable list must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-75 overflow-y-auto overscroll-contain rounded-control border border-line"
    >
      <div role="presentation" className="relative" style={{ height: list.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <div
            key={rows[index]!.file_index}
            role="listitem"
            style={{ transform: `translateY(${start}px)`, height: ROW }}
            className="absolute inset-x-0 top-0 flex items-center gap-3 px-3"
          >
            <FileRow file={rows[index]!} folderId={folderId} />
          </div>
        ))}
      </div>
    </div>
  );
}

function FileRow({ file, folderId }: { file: FileStatus; folderId: string }) {
  const name = shownName(file.path === '' ? file.name : `${file.path}/${file.name}`);
  const place = folderId === '' ? '/drive/all' : `/drive/all/${folderId}`;
  return (
    <>
      <FileTile category={categoryOf(file.name)} size={24} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-13" title={name}>
          {file.file_id === '' ? (
            <bdi>{name}</bdi>
          ) : (
            <LocaleLink to={`${place}?open_file=${file.file_id}`} className="rounded-small hover:underline">
              <bdi>{name}</bdi>
            </LocaleLink>
          )}
        </span>
        {file.message !== '' && (
          <span className="block truncate text-12 text-danger" title={file.message}>
            {file.message}
          </span>
        )}
      </span>
      <FileState file={file} />
    </>
  );
}

function FileState({ file: { phase, file_size: size, received } }: { file: FileStatus }) {
  const t = useT();
  const format = useFormat();
  const isDone = phase === 'PHASE_TYPE_COMPLETE';
  const part = Number(size) > 0 ? Math.min(1, Number(received) / Number(size)) : 0;
  return (
    <span className="num flex shrink-0 items-center gap-2 text-13 text-ink-3">
      {!isDone && Number(received) > 0 && <span>{format.percent(Math.floor(part * 100) / 100)}</span>}
      {Number(size) > 0 && <span>{format.bytes(size)}</span>}
      {isDone && <Check className="size-4 text-success" role="img" aria-label={t('transfers.files.done')} />}
      {phase === 'PHASE_TYPE_ERROR' && <CircleAlert className="size-4 text-danger" aria-hidden="true" />}
    </span>
  );
}
