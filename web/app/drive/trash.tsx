import { useState } from 'react';
import { RotateCcw, Trash2 } from 'lucide-react';
import { LIMITS } from '@bowerbird/contract';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import {
  Explorer,
  SelectionBar,
  useEntries,
  useSelecting,
  type Column,
  type EntryAction,
  type Selection,
} from '#app/node/index.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { MenuItem, MenuSeparator } from '#app/ui/menu.tsx';
import { PageTitle } from '#app/ui/page-title.tsx';
import type { Route } from './+types/trash';
import { NAME_ORDER, prefetchEntries, soon, trashEntries } from './drive-data.ts';
import { useDriveKeys } from './key-help.tsx';
import { SelectButton } from './select-button.tsx';
import { PlaceTitle, TopBar } from './top-bar.tsx';
import { useOperations } from './use-operations.ts';

/** The trash has one order, newest first; what is asked for beside it makes no difference. */
const MODE = { order: NAME_ORDER, pinFoldersTop: false };

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
  const entries = useEntries({
    ...trashEntries(call, MODE),
    ...(loaderData.first ? { initial: loaderData.first } : {}),
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
      id: 'left',
      label: t('drive.trash.left'),
      width: '160px',
      cell: (file) => (file.delete_time === '' ? '—' : format.relative(file.delete_time)),
    },
    {
      id: 'size',
      label: t('node.column.size'),
      width: '110px',
      align: 'end',
      cell: (file) => (file.kind === 'drive#folder' ? '—' : format.bytes(file.size)),
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
              <SelectButton selecting={selecting} isEmpty={false} />
            </>
          )
        }
      >
        <PlaceTitle>{t('drive.trash')}</PlaceTitle>
      </TopBar>
      {entries.count > 0 && (
        <p className="px-6 pb-3 text-13 text-ink-2 max-md:px-4">
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
