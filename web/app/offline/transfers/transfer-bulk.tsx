import {
  ClipboardCopy,
  Eraser,
  EllipsisVertical,
  FileDown,
  ListChecks,
  Pause,
  Play,
  RotateCcw,
  Trash2,
  X,
} from 'lucide-react';
import type { Task } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useT, type T } from '#app/i18n/t.ts';
import type { BarAction } from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { saveText } from './save-text.ts';
import { everyTask, type Tab } from './transfer-cache.ts';
import { transferOf } from './transfer-facts.ts';
import type { ConfirmedTransferActions } from './transfer-menu.tsx';
import { linksOf } from './use-confirmed-transfer-actions.tsx';
import { useTransferActions } from './use-transfer-actions.ts';

const transfersOf = (tasks: readonly Task[]) => tasks.map((task) => transferOf(task, Date.now()));

/** Actions on the selected transfers of a tab. */
export function bulkActions(
  t: T,
  tab: Tab,
  tasks: readonly Task[],
  actions: ConfirmedTransferActions,
): BarAction[] {
  const copy: BarAction = {
    id: 'copy',
    label: t('transfers.copyLinks'),
    icon: <ClipboardCopy />,
    run: () => actions.copyLinks(transfersOf(tasks)),
  };
  if (tab === 'running')
    return [
      {
        id: 'pause',
        label: t('transfers.pause'),
        icon: <Pause />,
        run: () => actions.pause(tasks),
        isDisabled: tasks.every(({ phase }) => phase === 'PHASE_TYPE_PAUSED'),
      },
      {
        id: 'resume',
        label: t('transfers.resume'),
        icon: <Play />,
        run: () => actions.resume(tasks),
        isDisabled: tasks.every(({ phase }) => phase !== 'PHASE_TYPE_PAUSED'),
      },
      copy,
      {
        id: 'cancel',
        label: t('transfers.cancel'),
        icon: <X />,
        isDanger: true,
        run: () => actions.cancel(tasks),
      },
    ];
  const forget: BarAction = {
    id: 'forget',
    label: t('transfers.forget'),
    icon: <Eraser />,
    run: () => actions.forget(tasks),
  };
  const remove: BarAction = {
    id: 'remove',
    label: t('transfers.removeWithFiles'),
    icon: <Trash2 />,
    isDanger: true,
    run: () => actions.removeWithFiles(tasks),
  };
  if (tab === 'finished') return [copy, forget, remove];
  return [
    { id: 'retry', label: t('ui.retry'), icon: <RotateCcw />, run: () => actions.retry(tasks) },
    copy,
    forget,
    remove,
  ];
}

/** Actions on a whole tab, however long it is. */
export function BulkMenu({
  tab,
  isEmpty,
  actions,
  onSelect,
}: {
  tab: Tab;
  isEmpty: boolean;
  actions: ConfirmedTransferActions;
  onSelect: () => void;
}) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const { clear } = useTransferActions();
  if (isEmpty) return null;
  const withAll = (run: (tasks: readonly Task[]) => void) => (): void =>
    void everyTask(call, tab).then(run, (error: unknown) =>
      toast.show({ text: text(error), tone: 'danger' }),
    );
  const main =
    tab === 'failed' ? (
      <Button size="s" icon={<RotateCcw />} onClick={withAll(actions.retry)}>
        {t('transfers.retryAll')}
      </Button>
    ) : tab === 'finished' ? (
      <Button size="s" icon={<Eraser />} onClick={() => void clear('finished')}>
        {t('transfers.clearFinished')}
      </Button>
    ) : undefined;
  return (
    <span className="flex shrink-0 items-center gap-1">
      {main && <span className="flex max-md:hidden">{main}</span>}
      <MenuTrigger>
        <IconButton label={t('transfers.moreAll')} icon={<EllipsisVertical />} />
        <Menu>
          {tab === 'running' && (
            <>
              <MenuItem icon={<Pause />} onAction={withAll(actions.pause)}>
                {t('transfers.pauseAll')}
              </MenuItem>
              <MenuItem icon={<Play />} onAction={withAll(actions.resume)}>
                {t('transfers.resumeAll')}
              </MenuItem>
            </>
          )}
          {tab === 'failed' && (
            <>
              <MenuItem icon={<RotateCcw />} onAction={withAll(actions.retry)}>
                {t('transfers.retryAll')}
              </MenuItem>
              <MenuItem icon={<Eraser />} onAction={() => void clear('failed')}>
                {t('transfers.clearFailed')}
              </MenuItem>
            </>
          )}
          {tab === 'finished' && (
            <MenuItem icon={<Eraser />} onAction={() => void clear('finished')}>
              {t('transfers.clearFinished')}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem icon={<ListChecks />} onAction={onSelect}>
            {t('transfers.selectSome')}
          </MenuItem>
          <MenuItem
            icon={<ClipboardCopy />}
            onAction={withAll((tasks) => actions.copyLinks(transfersOf(tasks)))}
          >
            {t('transfers.copyLinks')}
          </MenuItem>
          <MenuItem
            icon={<FileDown />}
            onAction={withAll((tasks) =>
              saveText(`${t('transfers.fileName')}.txt`, `${linksOf(transfersOf(tasks))}\n`),
            )}
          >
            {t('transfers.saveLinks')}
          </MenuItem>
          {tab === 'running' && (
            <>
              <MenuSeparator />
              <MenuItem icon={<X />} isDanger onAction={withAll(actions.cancel)}>
                {t('transfers.cancelAll')}
              </MenuItem>
            </>
          )}
        </Menu>
      </MenuTrigger>
    </span>
  );
}
