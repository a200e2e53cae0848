import { Camera, ClipboardPaste, FilePlus2, FolderPlus, FolderUp, Link, Plus, Upload } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { useOffline, type AddRequest } from '#app/offline/index.ts';
import { useUploads, type Target } from '#app/upload/index.ts';
import type { Texts } from './editor/index.ts';

interface NewItemsProps {
  readonly target: Target;
  readonly texts: Texts;
  readonly onNewFolder: () => void;
  /** Source that cloud downloads record, if it isn't a list of files. */
  readonly source?: AddRequest['source'];
}

/** Returns true on phones and tablets: elsewhere, browsers ignore that the camera was asked for. */
const hasCamera = (): boolean => matchMedia('(pointer: coarse)').matches;

/** Items of the New menu, and of a right click on empty space. */
export function NewItems({ target, texts, onNewFolder, source }: NewItemsProps) {
  const t = useT();
  const { pick } = useUploads();
  const { addLinks } = useOffline();
  return (
    <>
      <MenuItem icon={<Upload />} onAction={() => pick('files', target)}>
        {t('drive.new.files')}
      </MenuItem>
      <MenuItem icon={<FolderUp />} onAction={() => pick('folder', target)}>
        {t('drive.new.uploadFolder')}
      </MenuItem>
      {hasCamera() && (
        <MenuItem icon={<Camera />} onAction={() => pick('camera', target)}>
          {t('drive.new.camera')}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem
        icon={<Link />}
        shortcut="Alt N"
        onAction={() => addLinks({ ...(target.id === '' ? {} : { target }), ...(source ? { source } : {}) })}
      >
        {t('drive.new.links')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<FolderPlus />} onAction={onNewFolder}>
        {t('drive.new.folder')}
      </MenuItem>
      <MenuItem icon={<FilePlus2 />} onAction={() => texts.create(target.id)}>
        {t('drive.editor.new')}
      </MenuItem>
      <MenuItem icon={<ClipboardPaste />} onAction={() => void texts.paste(target)}>
        {t('drive.paste.menu')}
      </MenuItem>
    </>
  );
}

/** Adds content to the folder: a button in the bar; on phones a round button above the thumb. */
export function NewMenu({
  isHidden,
  ...props
}: NewItemsProps & {
  isHidden: boolean;
}) {
  const t = useT();
  return (
    <>
      <span className="mr-1 max-md:hidden">
        <MenuTrigger>
          <Button variant="primary" icon={<Plus />}>
            {t('drive.new.label')}
          </Button>
          <Menu>
            <NewItems {...props} />
          </Menu>
        </MenuTrigger>
      </span>
      {/* Hidden during a selection, whose bar is in the same place. */}
      <span
        className={cx(
          'fixed right-4 bottom-[calc(max(20px,env(safe-area-inset-bottom))+var(--tray,0px))] z-20 md:hidden',
          isHidden && 'hidden',
        )}
      >
        <MenuTrigger>
          <Button
            variant="primary"
            aria-label={t('drive.new.label')}
            className="size-14! rounded-full! p-0! shadow-float"
            icon={<Plus className="size-6" />}
          />
          <Menu>
            <NewItems {...props} />
          </Menu>
        </MenuTrigger>
      </span>
    </>
  );
}
