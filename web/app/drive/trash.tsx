import { useRef, useState } from 'react';
import { FolderInput, RotateCcw, Trash2 } from 'lucide-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { driveApi, LIMITS, type ApiCall, type Order } from '@bowerbird/contract';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { browserTimeZone, knownTimeZone, useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { useStorage } from '#app/membership/index.ts';
import { FolderPicker } from '#app/node/folder-picker.tsx';
import {
  amountOf,
  Explorer,
  marksOf,
  SelectionBar,
  SortMenu,
  useEntries,
  useSelecting,
  type DisplayMode,
  type EntryAction,
  type ExplorerHandle,
  type Selection,
} from '#app/node/index.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import type { Route } from './+types/trash';
import { isNoFolder, pathQuery, prefetchEntries, soon } from './drive-data.ts';
import { useDriveKeys } from './key-help.tsx';
import { searchIn } from './search/search-address.ts';
import { trashedRoots, trashSource, useTrashSearch } from './search/use-trash-search.tsx';
import { SelectButton } from './select-button.tsx';
import { useTagMarks } from './tag/tag-marks.tsx';
import { PlaceTitle, TopBar } from './top-bar.tsx';
import { useTrashColumns } from './trashed/trash-columns.tsx';
import { useOperations } from './use-operations.ts';

/** Last deleted entries come first; the date is that of the deletion. */
const MODE: Pick<DisplayMode, 'order' | 'pinFoldersTop'> = {
  order: { key: 'modified', descending: true },
  pinFoldersTop: false,
};
/** Days for which deleted items are kept. */
const ruleQuery = (call: ApiCall) => ({
  queryKey: ['trash-rule'],
  queryFn: () => call(driveApi.trashRule, {}),
});

export async function loader({ url, context }: Route.LoaderArgs) {
  const { call, cookies } = context.get(pageServices);
  const { text } = searchIn(url.searchParams);
  const zone = (): string => knownTimeZone(cookies['pp_time_zone']) ?? 'UTC';
  const [first, rule] = await Promise.all([
    trashSource(call, { text, folder: '' }, MODE, zone).load('', new AbortController().signal),
    ruleQuery(call).queryFn(),
  ]);
  return { text, first, rule };
}

export async function clientLoader({ url }: Route.ClientLoaderArgs) {
  const client = queryClient();
  const { text } = searchIn(url.searchParams);
  const source = trashSource(browserCall, { text, folder: '' }, MODE, browserTimeZone);
  await soon(Promise.all([prefetchEntries(client, source), client.ensureQueryData(ruleQuery(browserCall))]));
  return { text, first: undefined, rule: undefined };
}

const NONE: ReadonlySet<string> = new Set();

type Asked =
  | { readonly what: 'delete'; readonly ids: readonly string[]; readonly bytes: number | undefined }
  | { readonly what: 'empty' }
  /** `isGone`: the folders that some items came from don't exist any more. */
  | { readonly what: 'restore'; readonly ids: readonly string[]; readonly isGone: boolean };

export default function TrashPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const format = useFormat();
  const text = useErrorText();
  const operations = useOperations();
  const client = useQueryClient();
  const storage = useStorage();
  const rule = useQuery({
    ...ruleQuery(call),
    ...(loaderData.rule ? { initialData: loaderData.rule } : {}),
  });
  const days = rule.data?.days ?? LIMITS.trashDays;
  const [mode, setMode] = useState(MODE);
  const searching = useTrashSearch();
  const { text: searched } = searching.search;
  const badges = useTagMarks();
  const explorer = useRef<ExplorerHandle>(null);
  const isFirstPaint = mode === MODE && loaderData.text === searched;
  const entries = useEntries({
    ...trashSource(call, searching.search, mode, browserTimeZone),
    ...(loaderData.first && isFirstPaint ? { initial: loaderData.first } : {}),
  });
  const selecting = useSelecting(entries, `trash ${searched}`);
  const [asked, setAsked] = useState<Asked>();
  useDriveKeys();

  const gone = (ids: readonly string[]): void => {
    const set = new Set(ids);
    entries.change((file) => (set.has(file.id) ? undefined : file));
    selecting.clear();
  };
  const isGone = (folderId: string | undefined): boolean =>
    folderId !== undefined && isNoFolder(client.getQueryState(pathQuery(call, folderId).queryKey)?.error);
  const restoreTo = (ids: readonly string[], to?: string): void => {
    void operations.untrash(trashedRoots(ids, entries), to);
    gone(ids);
  };
  const restore = (selection: Selection): void =>
    void entries.idsOf(selection).then((ids) => {
      if (ids.some((id) => isGone(entries.parentOf(id)))) setAsked({ what: 'restore', ids, isGone: true });
      else restoreTo(ids);
    });
  const askRestore = (selection: Selection): void =>
    void entries.idsOf(selection).then((ids) => setAsked({ what: 'restore', ids, isGone: false }));
  const askDelete = (selection: Selection): void =>
    void entries.idsOf(selection).then((ids) => {
      const amount = amountOf(selection, entries.amount);
      // The size of folders isn't known here.
      setAsked({ what: 'delete', ids, bytes: amount?.folders === 0 ? amount.bytes : undefined });
    });
  const act = (action: EntryAction, selection: Selection): void | false =>
    action === 'delete' || action === 'trash' ? askDelete(selection) : false;
  const confirm = (): void => {
    setAsked(undefined);
    if (asked?.what === 'empty') {
      entries.change(() => undefined);
      void operations.emptyTrash(entries.total ?? entries.count);
    } else if (asked?.what === 'delete') {
      void operations.remove(asked.ids);
      gone(asked.ids);
    }
  };
  const total = entries.total ?? entries.count;
  const doomed =
    asked?.what === 'delete'
      ? { count: asked.ids.length, bytes: asked.bytes }
      : { count: total, bytes: storage?.inTrash };
  const columns = useTrashColumns();

  return (
    <>
      <PageTitle title={useBusyTitle(t('drive.trash'))} noIndex />
      <TopBar
        search={searching.field(() => explorer.current?.focus())}
        tools={
          entries.count > 0 &&
          !searching.isOn && (
            <>
              <Button icon={<Trash2 />} onClick={() => setAsked({ what: 'empty' })} className="max-md:h-11">
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
      {searching.isOn && searching.chips}
      {entries.count > 0 && !searching.isOn && (
        <p className="px-6 pb-3 text-13 text-ink-2 max-md:px-4 max-md:pt-1">
          {t('drive.trash.rule', { days })}
        </p>
      )}
      <div className="relative min-h-0 flex-1">
        <Explorer
          label={t('drive.trash')}
          entries={entries}
          selecting={selecting}
          badges={badges}
          view="list"
          placeKey={`trash ${searched}`}
          handle={explorer}
          canStar={false}
          columns={columns}
          marksOf={marksOf}
          {...(searching.isOn
            ? {}
            : { order: mode.order, onSort: (order: Order) => setMode({ ...mode, order }) })}
          onOpen={() => undefined}
          onAction={act}
          menu={(selection) => (
            <>
              <MenuItem icon={<RotateCcw />} onAction={() => restore(selection)}>
                {t('drive.trash.restore')}
              </MenuItem>
              <MenuItem icon={<FolderInput />} onAction={() => askRestore(selection)}>
                {t('drive.trash.restoreTo')}
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} isDanger onAction={() => askDelete(selection)}>
                {t('drive.delete.confirm')}
              </MenuItem>
            </>
          )}
          empty={
            searching.isOn ? (
              searching.nothing
            ) : (
              <EmptyState title={t('drive.trash.emptyTitle')} text={t('drive.trash.rule', { days })} />
            )
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
              id: 'restore-to',
              label: t('drive.trash.restoreTo'),
              icon: <FolderInput />,
              run: () => askRestore(selecting.selection),
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
      {asked?.what === 'restore' && (
        <FolderPicker
          title={
            asked.isGone
              ? t('drive.trash.originGone')
              : t('drive.trash.restoreTitle', { count: asked.ids.length })
          }
          confirm={t('drive.trash.restoreHere')}
          start=""
          refused={NONE}
          onClose={() => setAsked(undefined)}
          onPick={({ id }) => {
            setAsked(undefined);
            restoreTo(asked.ids, id);
          }}
        />
      )}
      <ConfirmDialog
        isOpen={asked?.what === 'empty' || asked?.what === 'delete'}
        onClose={() => setAsked(undefined)}
        isDanger
        title={asked?.what === 'empty' ? t('drive.trash.emptyQuestion') : t('drive.delete.title')}
        text={
          <>
            {t('drive.delete.text', { count: doomed.count })}
            {doomed.bytes !== undefined && doomed.bytes > 0 && (
              <span className="block pt-2">
                {t('drive.delete.frees', { size: format.bytes(doomed.bytes) })}
              </span>
            )}
          </>
        }
        confirmLabel={asked?.what === 'empty' ? t('drive.trash.empty') : t('drive.delete.confirm')}
        onConfirm={confirm}
      />
    </>
  );
}
