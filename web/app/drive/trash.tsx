import { useState } from 'react';
import { FolderInput, RotateCcw, Trash2 } from 'lucide-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { driveApi, LIMITS, type ApiCall } from '@bowerbird/contract';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { useStorage } from '#app/membership/index.ts';
import { FolderPicker } from '#app/node/folder-picker.tsx';
import {
  amountOf,
  Explorer,
  SelectionBar,
  SortMenu,
  useEntries,
  useSelecting,
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

export async function loader({ context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const [first, rule] = await Promise.all([
    trashEntries(call, MODE).load('', new AbortController().signal),
    ruleQuery(call).queryFn(),
  ]);
  return { first, rule };
}

export async function clientLoader() {
  const client = queryClient();
  await soon(
    Promise.all([
      prefetchEntries(client, trashEntries(browserCall, MODE)),
      client.ensureQueryData(ruleQuery(browserCall)),
    ]),
  );
  return { first: undefined, rule: undefined };
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
  const isGone = (folderId: string | undefined): boolean =>
    folderId !== undefined && client.getQueryState(pathQuery(call, folderId).queryKey)?.status === 'error';
  const restoreTo = (ids: readonly string[], to?: string): void => {
    void operations.untrash(ids, to);
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
        tools={
          entries.count > 0 && (
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
      {entries.count > 0 && (
        <p className="px-6 pb-3 text-13 text-ink-2 max-md:px-4 max-md:pt-1">
          {t('drive.trash.rule', { days: days })}
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
            <EmptyState title={t('drive.trash.emptyTitle')} text={t('drive.trash.rule', { days: days })} />
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
