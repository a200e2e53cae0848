import {
  Copy,
  Download,
  FolderInput,
  FolderOpen,
  FilePen,
  History,
  Info,
  Link2,
  PackageOpen,
  Palette,
  Pencil,
  Pin,
  PinOff,
  Smartphone,
  Star,
  StarOff,
  Tag,
  Trash2,
} from 'lucide-react';
import { useT, type T } from '#app/i18n/t.ts';
import type { BarAction } from '#app/node/index.ts';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';

/** All actions on files of the drive; undefined where they aren't possible, or not allowed. */
export interface FileActions {
  readonly open: (() => void) | undefined;
  readonly download: () => void;
  /** Only for a text. */
  readonly edit: (() => void) | undefined;
  /** Only for an archive. */
  readonly extract: (() => void) | undefined;
  readonly share: (() => void) | undefined;
  /** Only for a file. */
  readonly sendToDevice: (() => void) | undefined;
  readonly rename: (() => void) | undefined;
  readonly copyTo: (() => void) | undefined;
  readonly moveTo: (() => void) | undefined;
  readonly star: (() => void) | undefined;
  readonly tag: (() => void) | undefined;
  /** Only for a folder. */
  readonly pin: { readonly isPinned: boolean; readonly run: () => void } | undefined;
  /** Only for folders. */
  readonly look: (() => void) | undefined;
  readonly details: () => void;
  /** Only for a file. */
  readonly history: (() => void) | undefined;
  readonly trash: (() => void) | undefined;
}

/** Grouped items of the context menu and of a row's menu button. */
export function FileMenuItems({ actions, isStarred }: { actions: FileActions; isStarred: boolean }) {
  const t = useT();
  return (
    <>
      {actions.open && (
        <MenuItem icon={<FolderOpen />} shortcut="Enter" onAction={actions.open}>
          {t('drive.menu.open')}
        </MenuItem>
      )}
      {actions.edit && (
        <MenuItem icon={<FilePen />} onAction={actions.edit}>
          {t('drive.editor.edit')}
        </MenuItem>
      )}
      <MenuItem icon={<Download />} onAction={actions.download}>
        {t('drive.menu.download')}
      </MenuItem>
      {actions.extract && (
        <MenuItem icon={<PackageOpen />} onAction={actions.extract}>
          {t('wire.extract.menu')}
        </MenuItem>
      )}
      {(actions.share ?? actions.copyTo) && <MenuSeparator />}
      {actions.share && (
        <MenuItem icon={<Link2 />} onAction={actions.share}>
          {t('drive.menu.share')}
        </MenuItem>
      )}
      {actions.sendToDevice && (
        <MenuItem icon={<Smartphone />} onAction={actions.sendToDevice}>
          {t('drive.device.title')}
        </MenuItem>
      )}
      {actions.rename && (
        <MenuItem icon={<Pencil />} shortcut="F2" onAction={actions.rename}>
          {t('drive.menu.rename')}
        </MenuItem>
      )}
      {actions.copyTo && (
        <MenuItem icon={<Copy />} onAction={actions.copyTo}>
          {t('drive.menu.copyTo')}
        </MenuItem>
      )}
      {actions.moveTo && (
        <MenuItem icon={<FolderInput />} onAction={actions.moveTo}>
          {t('drive.menu.moveTo')}
        </MenuItem>
      )}
      <MenuSeparator />
      {actions.star && (
        <MenuItem icon={isStarred ? <StarOff /> : <Star />} shortcut="S" onAction={actions.star}>
          {isStarred ? t('drive.menu.unstar') : t('drive.menu.star')}
        </MenuItem>
      )}
      {actions.tag && (
        <MenuItem icon={<Tag />} shortcut="T" onAction={actions.tag}>
          {t('drive.tag.tags')}
        </MenuItem>
      )}
      {actions.look && (
        <MenuItem icon={<Palette />} onAction={actions.look}>
          {t('drive.look.menu')}
        </MenuItem>
      )}
      {actions.pin && (
        <MenuItem icon={actions.pin.isPinned ? <PinOff /> : <Pin />} onAction={actions.pin.run}>
          {actions.pin.isPinned ? t('drive.pin.unpin') : t('drive.pin.pin')}
        </MenuItem>
      )}
      <MenuItem icon={<Info />} shortcut="D" onAction={actions.details}>
        {t('drive.menu.details')}
      </MenuItem>
      {actions.history && (
        <MenuItem icon={<History />} onAction={actions.history}>
          {t('drive.history.title')}
        </MenuItem>
      )}
      {actions.trash && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} shortcut="Del" isDanger onAction={actions.trash}>
            {t('drive.menu.trash')}
          </MenuItem>
        </>
      )}
    </>
  );
}

/** Leaves out the actions that aren't possible. */
const possible = (
  actions: readonly (Omit<BarAction, 'run'> & { readonly run: (() => void) | undefined })[],
): BarAction[] => actions.flatMap(({ run, ...action }) => (run ? [{ ...action, run }] : []));

/** Actions of the selection bar, by frequency of use. */
export function barActionsOf(t: T, actions: FileActions, isStarred: boolean): BarAction[] {
  return possible([
    { id: 'download', label: t('drive.menu.download'), icon: <Download />, run: actions.download },
    { id: 'share', label: t('drive.menu.share'), icon: <Link2 />, run: actions.share },
    { id: 'move', label: t('drive.menu.moveTo'), icon: <FolderInput />, run: actions.moveTo },
    { id: 'trash', label: t('drive.menu.trash'), icon: <Trash2 />, run: actions.trash, isDanger: true },
    { id: 'rename', label: t('drive.menu.rename'), icon: <Pencil />, run: actions.rename },
    { id: 'copy', label: t('drive.menu.copyTo'), icon: <Copy />, run: actions.copyTo },
    { id: 'tag', label: t('drive.tag.tags'), icon: <Tag />, run: actions.tag },
    {
      id: 'star',
      label: isStarred ? t('drive.menu.unstar') : t('drive.menu.star'),
      icon: isStarred ? <StarOff /> : <Star />,
      run: actions.star,
    },
    { id: 'details', label: t('drive.menu.details'), icon: <Info />, run: actions.details },
  ]);
}
