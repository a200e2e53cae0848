import {
  ArrowDown,
  ArrowUp,
  Cookie,
  Copy,
  EllipsisVertical,
  Equal,
  ExternalLink,
  FolderOpen,
  HardDrive,
  Pause,
  Play,
  RotateCcw,
  Trash2,
  X,
} from 'lucide-react';
import type { Task } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import type { Transfer } from './transfer-facts.ts';
import { placeOf } from './transfer-places.ts';
import type { Priority } from './use-transfer-actions.ts';

/** Actions on transfers, including confirmations. */
export interface ConfirmedTransferActions {
  readonly pause: (tasks: readonly Task[]) => void;
  readonly resume: (tasks: readonly Task[]) => void;
  readonly retry: (tasks: readonly Task[]) => void;
  readonly prioritize: (tasks: readonly Task[], priority: Priority) => void;
  /** Asks first if something has been downloaded already. */
  readonly cancel: (tasks: readonly Task[]) => void;
  readonly forget: (tasks: readonly Task[]) => void;
  /** Asks first. */
  readonly removeWithFiles: (tasks: readonly Task[]) => void;
  readonly addCookie: (transfer: Transfer) => void;
  readonly freeSpace: () => void;
  readonly copyLinks: (transfers: readonly Transfer[]) => void;
}

/** Remedies of an error, besides a retry. */
export const needsCookie = ({ error }: Transfer): boolean =>
  error === 'source_denied' || error === 'source_not_a_file';
export const needsSpace = ({ error }: Transfer): boolean => error === 'file_space_not_enough';

const PRIORITIES = [
  ['high', <ArrowUp key="high" />],
  ['normal', <Equal key="normal" />],
  ['low', <ArrowDown key="low" />],
] as const;

export function TransferMenu({
  task,
  transfer,
  actions,
}: {
  task: Task;
  transfer: Transfer;
  actions: ConfirmedTransferActions;
}) {
  const t = useT();
  const { name, state } = transfer;
  const place = placeOf(transfer);
  const isOpen = state !== 'finished' && state !== 'failed';
  const one = [task];
  return (
    <MenuTrigger>
      <IconButton label={t('transfers.more', { name })} icon={<EllipsisVertical />} />
      <Menu>
        {state === 'finished' && (
          <>
            <MenuItem icon={<ExternalLink />} href={place.open}>
              {t('transfers.open')}
            </MenuItem>
            <MenuItem icon={<FolderOpen />} href={place.show}>
              {t('transfers.showInFolder')}
            </MenuItem>
          </>
        )}
        {state === 'failed' && (
          <MenuItem icon={<RotateCcw />} onAction={() => actions.retry(one)}>
            {t('ui.retry')}
          </MenuItem>
        )}
        {state === 'failed' && needsCookie(transfer) && (
          <MenuItem icon={<Cookie />} onAction={() => actions.addCookie(transfer)}>
            {t('transfers.addCookie')}
          </MenuItem>
        )}
        {state === 'failed' && needsSpace(transfer) && (
          <MenuItem icon={<HardDrive />} onAction={actions.freeSpace}>
            {t('transfers.freeSpace')}
          </MenuItem>
        )}
        {state === 'paused' && (
          <MenuItem icon={<Play />} onAction={() => actions.resume(one)}>
            {t('transfers.resume')}
          </MenuItem>
        )}
        {isOpen && state !== 'paused' && (
          <MenuItem icon={<Pause />} onAction={() => actions.pause(one)}>
            {t('transfers.pause')}
          </MenuItem>
        )}
        {transfer.url !== '' && (
          <MenuItem icon={<Copy />} onAction={() => actions.copyLinks([transfer])}>
            {t('transfers.copyLink')}
          </MenuItem>
        )}
        {(state === 'waiting' || state === 'scheduled' || state === 'paused') && (
          <>
            <MenuSeparator />
            <MenuSection title={t('offline.options.priority')}>
              {PRIORITIES.map(([priority, icon]) => (
                <MenuItem
                  key={priority}
                  icon={icon}
                  isSelected={transfer.priority === priority}
                  onAction={() => actions.prioritize(one, priority)}
                >
                  {t(`offline.priority.${priority}`)}
                </MenuItem>
              ))}
            </MenuSection>
          </>
        )}
        <MenuSeparator />
        {isOpen ? (
          <MenuItem icon={<X />} isDanger onAction={() => actions.cancel(one)}>
            {t('transfers.cancel')}
          </MenuItem>
        ) : (
          <MenuItem icon={<X />} onAction={() => actions.forget(one)}>
            {t('transfers.forget')}
          </MenuItem>
        )}
        {!isOpen && (state === 'finished' || transfer.received > 0) && (
          <MenuItem icon={<Trash2 />} isDanger onAction={() => actions.removeWithFiles(one)}>
            {t('transfers.removeWithFiles')}
          </MenuItem>
        )}
      </Menu>
    </MenuTrigger>
  );
}
