import { useState } from 'react';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS, type File } from '@bowerbird/contract';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import {
  Explorer,
  SelectionBar,
  SortMenu,
  useEntries,
  useSelecting,
  type Column,
  type DisplayMode,
  type EntryAction,
  type Selection,
} from '#app/node/index.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import type { Route } from './+types/trash';
import { pathQuery, prefetchEntries, soon, trashEntries } from './drive-data.ts';
import { useDriveKeys } from './key-help.tsx';
import { SelectButton } from './select-button.tsx';
import { PlaceTitle, TopBar } from './top-bar.tsx';
import { useOperations } from './use-operations.ts';

/** Last deleted entries come first; the date is that of the deletion. */
const MODE: Pick<DisplayMode, 'order' | 'pinFoldersTop'> = {
  order: { key: 'modified', descending: true },
  pinFoldersTop: false,
};
const DAY_MS = 86_400_000;

/** Date of deletion: the retention period in days before the final deletion. */
const deletedAt = ({ delete_time }: File): string =>
  new Date(Date.parse(delete_time) - LIMITS.trashDays * DAY_MS).toISOString();

export async function loader({ context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  return { first: await trashEntries(call, MODE).load('', new AbortController().signal) };
}

export async function clientLoader() {
  await soon(prefetchEntries(queryClient(), trashEntries(browserCall, MODE)));
  return { first: undefined };
}

type Asked = { readonly ids: readonly string[] } | 'everything';

export default function TrashPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const format = useFormat();
  const text = useErrorText();
  const operations = useOperations();
  const [mode, setMode] = useState(MODE);
  const entries = useEntries({
    ...trashEntries(call, mode),
    ...(loaderData.first && mode === MODE ? { initial: loaderData.first } : {}),
  });
  const selecting = useSelecting(entries, 'trash');
  const [asked, setAsked] = useState<Asked>();
  useDriveKeys();

  const gone = (ids: readonly string[]): void => {
    const set = new Set(ids);
    entries.change((file) => (set.has(file.id) ? undefined : file));
    selecting.clear();
  };
  const restore = (selection: Selection): void =>
    void entries.idsOf(selection).then((ids) => {
      gone(ids);
      return operations.untrash(ids);
    });
  const askDelete = (selection: Selection): void =>
    void entries.idsOf(selection).then((ids) => setAsked({ ids }));
  const act = (action: EntryAction, selection: Selection): void | false =>
    action === 'delete' || action === 'trash' ? askDelete(selection) : false;
  const confirm = (): void => {
    if (asked === undefined) return;
    setAsked(undefined);
    if (asked === 'everything') {
      entries.change(() => undefined);
      void operations.emptyTrash(entries.total ?? entries.count);
    } else {
      gone(asked.ids);
      void operations.remove(asked.ids);
    }
  };
  const columns: readonly Column[] = [
    {
      id: 'origin',
      label: t('drive.trash.origin'),
      width: 'minmax(120px, 200px)',
      cell: (file) => <Origin folderId={file.parent_id} />,
    },
    {
      id: 'deleted',
      label: t('node.details.deleted'),
      sortKey: 'modified',
      width: '150px',
      cell: (file) =>
        file.delete_time === '' ? undefined : (
          <span className="leading-4 @min-[600px]:grid">
            <DateTime at={deletedAt(file)} />
            <span className="@min-[600px]:hidden"> · </span>
            <span title={t('drive.trash.left')} className="text-12 text-ink-3">
              {format.relative(file.delete_time)}
            </span>
          </span>
        ),
    },
    {
      id: 'size',
      label: t('node.column.size'),
      sortKey: 'size',
      width: '100px',
      align: 'end',
      cell: (file) => (file.kind === 'drive#folder' ? undefined : format.bytes(file.size)),
    },
  ];

  return (
    <>
      <PageTitle title={useBusyTitle(t('drive.trash'))} noIndex />
      <TopBar
        tools={
          entries.count > 0 && (
            <>
              <Button icon={<Trash2 />} onClick={() => setAsked('everything')} className="max-md:h-11">
                {t('drive.trash.empty')}
              </Button>
              <SortMenu
                className="max-md:h-11"
                order={mode.order}
                onSort={(order) => setMode({ ...mode, order })}
                pinFoldersTop={mode.pinFoldersTop}
                onPinFoldersTop={(pinFoldersTop) => setMode({ ...mode, pinFoldersTop })}
                names={{ modified: 'node.details.deleted' }}
              />
              <SelectButton selecting={selecting} isEmpty={false} />
            </>
          )
        }
      >
        <PlaceTitle>{t('drive.trash')}</PlaceTitle>
      </TopBar>
      {entries.count > 0 && (
        <p className="px-6 pb-3 text-13 text-ink-2 max-md:px-4 max-md:pt-1">
          {t('drive.trash.rule', { days: LIMITS.trashDays })}
        </p>
      )}
      <div className="relative min-h-0 flex-1">
        <Explorer
          label={t('drive.trash')}
          entries={entries}
          selecting={selecting}
          view="list"
          placeKey="trash"
          canStar={false}
          columns={columns}
          order={mode.order}
          onSort={(order) => setMode({ ...mode, order })}
          onOpen={() => undefined}
          onAction={act}
          menu={(selection) => (
            <>
              <MenuItem icon={<RotateCcw />} onAction={() => restore(selection)}>
                {t('drive.trash.restore')}
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} isDanger onAction={() => askDelete(selection)}>
                {t('drive.delete.confirm')}
              </MenuItem>
            </>
          )}
          empty={
            <EmptyState
              title={t('drive.trash.emptyTitle')}
              text={t('drive.trash.rule', { days: LIMITS.trashDays })}
            />
          }
          failed={(failure, retry) => (
            <EmptyState
              title={t('drive.failed.title')}
              text={text(failure)}
              actions={<Button onClick={retry}>{t('ui.retry')}</Button>}
            />
          )}
        />
        <SelectionBar
          over="list"
          selecting={selecting}
          total={entries.total}
          actions={[
            {
              id: 'restore',
              label: t('drive.trash.restore'),
              icon: <RotateCcw />,
              run: () => restore(selecting.selection),
            },
            {
              id: 'delete',
              label: t('drive.delete.confirm'),
              icon: <Trash2 />,
              isDanger: true,
              run: () => askDelete(selecting.selection),
            },
          ]}
        />
      </div>
      <ConfirmDialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        isDanger
        title={asked === 'everything' ? t('drive.trash.emptyQuestion') : t('drive.delete.title')}
        text={t('drive.delete.text', {
          count:
            asked === 'everything' || asked === undefined
              ? (entries.total ?? entries.count)
              : asked.ids.length,
        })}
        confirmLabel={asked === 'everything' ? t('drive.trash.empty') : t('drive.delete.confirm')}
        onConfirm={confirm}
      />
    </>
  );
}

/**
 * Folder that an entry was deleted from, and is restored to; its name is requested once for all entries from it.
 */
function Origin({ folderId }: { folderId: string }) {
  const t = useT();
  const call = useCall();
  const { data, isError } = useQuery(pathQuery(call, folderId));
  const folders = data?.ancestors.filter(({ id }) => id !== '').map(({ name }) => name) ?? [];
  if (!data) return isError ? '—' : '';
  const way = [t('drive.files'), ...folders].join(' / ');
  return <span title={way}>{folders.at(-1) ?? t('drive.files')}</span>;
}
