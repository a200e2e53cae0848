import { useLayoutEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { ArrowDown, ArrowUp, Ellipsis, Pencil, PinOff } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router';
import { LIMITS, type Pin } from '@bowerbird/contract';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { FolderIcon, useFolderDrop } from '#app/node/index.ts';
import { LabelDialog } from '#app/node/label-dialog.tsx';
import { shownName } from '#app/node/name/shown-name.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { announce } from '#app/ui/live-region.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { useUploads } from '#app/upload/index.ts';
import { folderHref } from '../drive-data.ts';
import { useOperations } from '../use-operations.ts';
import { usePins } from './pin-data.ts';
import { usePinning } from './use-pinning.ts';

/** Type of a pin that is dragged to another place. */
const DRAGGED = 'application/x-bowerbird-pin';

/** Pinned folders in the sidebar; they can be reordered by dragging, with Alt and arrow keys, and by their menus. */
export function PinPlaces() {
  const t = useT();
  const pins = usePins();
  const pinning = usePinning();
  const list = useRef<HTMLUListElement>(null);
  const [renamed, setRenamed] = useState<Pin>();
  const [over, setOver] = useState<string>();
  /** Pin that was moved: it keeps the focus in its new place. */
  const moving = useRef<string>(undefined);
  useLayoutEffect(() => {
    const at = pins.findIndex(({ id }) => id === moving.current);
    moving.current = undefined;
    if (at !== -1) list.current?.querySelectorAll('a')[at]?.focus();
  }, [pins]);
  if (pins.length === 0) return null;

  function moveTo(id: string, to: number): void {
    const from = pins.findIndex((pin) => pin.id === id);
    const place = Math.max(0, Math.min(pins.length - 1, to));
    const moved = pins[from];
    if (!moved || place === from) return;
    announce(t('drive.pin.moved', { name: nameOf(moved), place: place + 1, count: pins.length }));
    moving.current = id;
    void pinning.order(pins.filter((pin) => pin !== moved).toSpliced(place, 0, moved));
  }

  return (
    <section aria-labelledby="pin-places" className="mt-4">
      <h2 id="pin-places" className="flex h-8 items-center ps-3 text-12 font-semibold text-ink-3">
        {t('drive.pin.pinned')}
      </h2>
      <ul ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {pins.map((pin, at) => (
          <PinPlace
            key={pin.id}
            pin={pin}
            isOver={over === pin.id}
            onMove={(by) => moveTo(pin.id, at + by)}
            canMove={[at > 0, at < pins.length - 1]}
            onRename={() => setRenamed(pin)}
            onUnpin={() => void pinning.unpin(pin)}
            drag={{
              onDragOver(event) {
                if (!event.dataTransfer.types.includes(DRAGGED)) return;
                event.preventDefault();
                event.stopPropagation();
                event.dataTransfer.dropEffect = 'move';
                setOver(pin.id);
              },
              onDragLeave: () => setOver(undefined),
              onDrop(event) {
                const id = event.dataTransfer.getData(DRAGGED);
                if (id === '') return;
                event.preventDefault();
                event.stopPropagation();
                setOver(undefined);
                moveTo(id, at);
              },
            }}
          />
        ))}
      </ul>
      {renamed && (
        <LabelDialog
          title={t('drive.pin.rename')}
          label={t('drive.pin.name')}
          hint={t('drive.pin.nameHint', { name: shownName(renamed.folder_name) })}
          confirm={t('drive.tag.save')}
          initial={renamed.name || renamed.folder_name}
          most={LIMITS.pinNameMax}
          onClose={() => setRenamed(undefined)}
          onSubmit={(name) => pinning.rename(renamed.id, name.trim() === renamed.folder_name ? '' : name)}
        />
      )}
    </section>
  );
}

const nameOf = ({ name, folder_name: own }: Pin): string => shownName(name || own);

type DragHandlers = Record<'onDragOver' | 'onDrop', (event: DragEvent<HTMLElement>) => void> & {
  readonly onDragLeave: () => void;
};

function PinPlace({
  pin,
  isOver: isPinOver,
  canMove,
  onMove,
  onRename,
  onUnpin,
  drag,
}: {
  pin: Pin;
  /** Another pin is dragged over it. */
  isOver: boolean;
  /** Up, down. */
  canMove: readonly [boolean, boolean];
  onMove: (by: number) => void;
  onRename: () => void;
  onUnpin: () => void;
  drag: DragHandlers;
}) {
  const t = useT();
  const navigate = useNavigate();
  const path = useLocalePath();
  const operations = useOperations();
  const { take } = useUploads();
  const { pathname } = useLocation();
  const href = folderHref(pin.id);
  const isActive = pathname === path(href);
  const name = nameOf(pin);
  const { isOver, props } = useFolderDrop({
    folderId: pin.id,
    onDrop: (id, dragged, copy) =>
      void dragged
        .ids()
        .then((ids) => (copy ? operations.copy(ids, id) : operations.move(ids, dragged.placeOf, id))),
    onFiles: (id, data) => take(data, { id, name: pin.folder_name }),
    onSpring: () => void navigate(path(href)),
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li {...drag} className={cx('rounded-control', isPinOver && 'outline-2 -outline-offset-2 outline-blue')}>
      <div
        {...props}
        className={cx(
          'group/pin flex items-center rounded-control pe-1',
          isActive ? 'bg-blue-wash text-blue-strong' : 'text-ink-2 hover:bg-hover hover:text-ink',
          isOver && 'outline-2 -outline-offset-2 outline-blue',
        )}
      >
        <LocaleLink
          to={href}
          aria-current={isActive ? 'page' : undefined}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          title={name}
          onKeyDown={onKeyDown}
          onDragStart={(event) => {
            event.dataTransfer.setData(DRAGGED, pin.id);
            event.dataTransfer.effectAllowed = 'move';
          }}
          className="flex h-9 min-w-0 flex-1 items-center gap-3 rounded-control px-3 font-medium max-md:h-12"
        >
          <FolderIcon color={pin.folder_color} emoji={pin.folder_emoji} />
          <bdi className="truncate">{name}</bdi>
        </LocaleLink>
        <MenuTrigger>
          <IconButton
            size="s"
            label={t('drive.pin.more', { name })}
            icon={<Ellipsis className="size-4!" />}
            className="pointer-fine:opacity-0 pointer-fine:group-hover/pin:opacity-100 pointer-fine:group-focus-within/pin:opacity-100"
          />
          <Menu>
            <MenuItem icon={<Pencil />} onAction={onRename}>
              {t('drive.pin.rename')}
            </MenuItem>
            <MenuItem
              icon={<ArrowUp />}
              shortcut="Alt ↑"
              isDisabled={!canMove[0]}
              onAction={() => onMove(-1)}
            >
              {t('drive.pin.up')}
            </MenuItem>
            <MenuItem
              icon={<ArrowDown />}
              shortcut="Alt ↓"
              isDisabled={!canMove[1]}
              onAction={() => onMove(1)}
            >
              {t('drive.pin.down')}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<PinOff />} onAction={onUnpin}>
              {t('drive.pin.unpin')}
            </MenuItem>
          </Menu>
        </MenuTrigger>
      </div>
    </li>
  );
}
