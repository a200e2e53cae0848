import { useId } from 'react';
import { ChevronDown, FolderOpen, Pause, Play, RotateCcw, X } from 'lucide-react';
import { categoryOf, type ErrorId, type Task } from '@bowerbird/contract';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { SeePlans } from '#app/page/see-plans.tsx';
import { cx } from '#app/ui/class-names.ts';
import { Dotted } from '#app/ui/dotted.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { partOf, type Transfer } from './transfer-facts.ts';
import { TransferMenu, type ConfirmedTransferActions } from './transfer-menu.tsx';
import { TransferDetails } from './transfer-details.tsx';
import { placeOf } from './transfer-places.ts';
import { useTransferWords } from './transfer-words.tsx';

export interface CardProps {
  readonly task: Task;
  readonly transfer: Transfer;
  readonly actions: ConfirmedTransferActions;
  readonly isUnfolded: boolean;
  readonly onUnfold: () => void;
  readonly isSelected: boolean;
  /** True while a click on a card selects it. */
  readonly isSelecting: boolean;
  readonly onSelect: (isSelected: boolean) => void;
  readonly isMarked: boolean;
}

/** Transfer with its name, target, progress and actions. */
export function TransferCard({
  task,
  transfer,
  actions,
  isUnfolded,
  onUnfold,
  isSelected,
  isSelecting,
  onSelect,
  isMarked,
}: CardProps) {
  const t = useT();
  const words = useTransferWords();
  const detailsId = useId();
  const { state } = transfer;
  const name = shownName(transfer.name);
  const isFailed = state === 'failed';
  return (
    <div
      className={cx(
        'group rounded-card border transition-colors duration-500',
        isSelected || isMarked ? 'border-blue bg-blue-wash' : 'border-line bg-card',
      )}
    >
      <div className="flex items-start gap-3 py-3 pr-2 pl-3.5">
        <Tile transfer={transfer} isSelected={isSelected} isSelecting={isSelecting} onSelect={onSelect} />
        <div className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={isUnfolded}
            aria-controls={isUnfolded ? detailsId : undefined}
            onClick={onUnfold}
            className="line-clamp-2 w-fit max-w-full rounded-small text-start font-medium [overflow-wrap:anywhere] hover:underline"
          >
            <bdi>{name}</bdi>
          </button>
          {isFailed && (
            <p className="mt-0.5 text-13 text-danger">
              {transfer.message || t('error.unknown')}
              <SeePlans error={transfer.error as ErrorId} className="ms-1.5" />
            </p>
          )}
          <p className="num mt-0.5 text-13 text-ink-3">
            <Dotted facts={[...words(transfer), <TargetLink key="target" transfer={transfer} />]} />
          </p>
        </div>
        <Actions
          task={task}
          transfer={transfer}
          actions={actions}
          isUnfolded={isUnfolded}
          onUnfold={onUnfold}
        />
      </div>
      {(state === 'running' || (state === 'paused' && transfer.received > 0)) && (
        <Meter
          progress
          value={state === 'running' ? partOf(transfer) : (partOf(transfer) ?? 0)}
          label={name}
          tone={state === 'running' ? 'blue' : 'warning'}
          className="mx-3.5 mb-3 w-auto!"
        />
      )}
      {isUnfolded && (
        <div id={detailsId} className="border-t border-line px-3.5 pt-3 pb-4">
          <TransferDetails transfer={transfer} actions={actions} task={task} />
        </div>
      )}
    </div>
  );
}

/** Link to the target folder. */
function TargetLink({ transfer }: { transfer: Transfer }) {
  const t = useT();
  return (
    <LocaleLink
      to={placeOf(transfer).home}
      className="rounded-small text-ink-2 underline decoration-line-strong underline-offset-3 [overflow-wrap:anywhere] hover:text-ink hover:decoration-current"
    >
      {transfer.folderName || t('drive.files')}
    </LocaleLink>
  );
}

/** Icon of the file's kind; on hover and while selecting, its checkbox. */
function Tile({
  transfer: { name, fileCount, state, source, isFolder },
  isSelected,
  isSelecting,
  onSelect,
}: Pick<CardProps, 'isSelected' | 'isSelecting' | 'onSelect'> & { transfer: Transfer }) {
  const t = useT();
  const isMany = fileCount > 1 || isFolder;
  const category = isMany
    ? 'folder'
    : source === 'torrent' && state !== 'finished' && !/\.\w+$/.test(name)
      ? 'torrent'
      : categoryOf(name);
  return (
    <span className="relative grid size-10 shrink-0 place-items-center">
      <FileTile
        category={category}
        size={40}
        className={cx(
          'transition-opacity group-hover:pointer-fine:opacity-0 group-has-[input:focus-visible]:opacity-0',
          isSelecting && 'opacity-0',
        )}
      />
      <span
        className={cx(
          'absolute inset-0 grid place-items-center transition-opacity',
          isSelecting
            ? 'opacity-100'
            : 'opacity-0 group-hover:pointer-fine:opacity-100 has-[:focus-visible]:opacity-100 pointer-coarse:pointer-events-none',
        )}
      >
        <Checkbox
          aria-label={t('transfers.select', { name })}
          isSelected={isSelected}
          onChange={onSelect}
          className="relative after:absolute after:-inset-3"
        />
      </span>
    </span>
  );
}

function Actions({
  task,
  transfer,
  actions,
  isUnfolded,
  onUnfold,
}: Pick<CardProps, 'task' | 'transfer' | 'actions' | 'isUnfolded' | 'onUnfold'>) {
  const t = useT();
  const { state } = transfer;
  const name = shownName(transfer.name);
  return (
    <span className="flex shrink-0 items-center">
      {(state === 'running' || state === 'waiting' || state === 'scheduled') && (
        <IconButton
          label={t('transfers.pauseOne', { name })}
          icon={<Pause />}
          onClick={() => actions.pause([task])}
        />
      )}
      {state === 'paused' && (
        <IconButton
          label={t('transfers.resumeOne', { name })}
          icon={<Play />}
          onClick={() => actions.resume([task])}
        />
      )}
      {state === 'failed' && (
        <IconButton
          label={t('transfers.retryOne', { name })}
          icon={<RotateCcw />}
          onClick={() => actions.retry([task])}
        />
      )}
      {state === 'finished' && (
        <IconButton
          label={t('transfers.showOne', { name })}
          icon={<FolderOpen />}
          href={placeOf(transfer).show}
        />
      )}
      {(state === 'running' || state === 'waiting' || state === 'scheduled' || state === 'paused') && (
        <span className="flex max-md:hidden">
          <IconButton
            label={t('transfers.cancelOne', { name })}
            icon={<X />}
            onClick={() => actions.cancel([task])}
          />
        </span>
      )}
      <span className="flex max-md:hidden">
        <IconButton
          label={isUnfolded ? t('transfers.foldOne', { name }) : t('transfers.unfoldOne', { name })}
          icon={<ChevronDown className={cx('transition-transform', isUnfolded && 'rotate-180')} />}
          aria-expanded={isUnfolded}
          onClick={onUnfold}
        />
      </span>
      <TransferMenu task={task} transfer={transfer} actions={actions} />
    </span>
  );
}
