import { Download, EllipsisVertical, Eye, Pencil, Pin, PinOff, RotateCcw, Trash2 } from 'lucide-react';
import type { Version } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dotted } from '#app/ui/dotted.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';

export interface VersionActions {
  readonly preview: () => void;
  readonly restore: () => void;
  readonly rename: () => void;
  readonly keep: (forever: boolean) => void;
  readonly remove: () => void;
}

/** One earlier version: its date or name, size, how it was replaced, and what can be done with it. */
export function VersionRow({ version, actions }: { version: Version; actions: VersionActions }) {
  const t = useT();
  const format = useFormat();
  const date = <DateTime key="date" at={version.modified_time} />;
  const dateText = format.dateTime(version.modified_time);
  return (
    <li className="flex items-center gap-3 border-t border-line py-3">
      {version.thumbnail_link !== '' && (
        <FileTile category="image" thumbnail={version.thumbnail_link} size={40} />
      )}
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex min-w-0 items-center gap-2 font-medium">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {version.label === '' ? date : <bdi>{version.label}</bdi>}
          </span>
          {version.keep_forever && (
            <Pin
              role="img"
              aria-label={t('drive.history.isKept')}
              data-tip={t('drive.history.isKept')}
              className="size-4 shrink-0 text-blue"
            />
          )}
        </p>
        <p className="text-13 text-ink-2 tabular-nums">
          <Dotted facts={[...(version.label === '' ? [] : [date]), format.bytes(version.size)]} />
        </p>
        <p className="text-13 text-ink-3">{t(`drive.history.by.${version.replaced_by}`)}</p>
      </div>
      {version.link && (
        <Button
          size="s"
          aria-label={t('drive.history.restoreOf', { date: dateText })}
          onClick={actions.restore}
          className="max-md:hidden"
        >
          {t('drive.history.restore')}
        </Button>
      )}
      <MenuTrigger>
        <IconButton
          label={t('drive.history.more', { date: dateText })}
          icon={<EllipsisVertical />}
          className="shrink-0"
        />
        <Menu>
          {version.link && (
            <>
              <MenuItem icon={<Eye />} onAction={actions.preview}>
                {t('drive.history.preview')}
              </MenuItem>
              <MenuItem icon={<Download />} href={version.link.url} reloadDocument>
                {t('drive.menu.download')}
              </MenuItem>
              <MenuItem icon={<RotateCcw />} onAction={actions.restore}>
                {t('drive.history.restore')}
              </MenuItem>
              <MenuSeparator />
            </>
          )}
          <MenuItem icon={<Pencil />} onAction={actions.rename}>
            {t('drive.history.name')}
          </MenuItem>
          <MenuItem
            icon={version.keep_forever ? <PinOff /> : <Pin />}
            onAction={() => actions.keep(!version.keep_forever)}
          >
            {version.keep_forever ? t('drive.history.unkeep') : t('drive.history.keep')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} isDanger onAction={actions.remove}>
            {t('drive.history.delete')}
          </MenuItem>
        </Menu>
      </MenuTrigger>
    </li>
  );
}
