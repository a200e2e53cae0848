import { memo, useState } from 'react';
import { Check, Play, Star } from 'lucide-react';
import type { File, FileCategory } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { noticeBroken } from '#app/ui/broken-image.ts';
import { cx } from '#app/ui/class-names.ts';
import { Dotted } from '#app/ui/dotted.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { EntryKindIcon, EntryMenuIcon } from './entry-icons.tsx';
import { bytesOf, kindOf, secondsOf } from './file-facts.ts';
import { shownName } from './name/shown-name.ts';

/* Parts of rows and tiles. They have no handlers: the explorer has a single listener and reads `data-part`. */

export function CheckPart({
  name,
  isSelected,
  className,
}: {
  name: string;
  isSelected: boolean;
  className?: string;
}) {
  const t = useT();
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isSelected}
      aria-label={t('node.select', { name: shownName(name) })}
      tabIndex={-1}
      data-part="check"
      className={cx('group/check entry-check', className)}
    >
      <span className={cx('entry-box', isSelected ? 'border-blue bg-blue text-on-blue' : 'entry-box-off')}>
        {isSelected && <Check aria-hidden="true" className="size-3.5 [stroke-width:3]" />}
      </span>
    </button>
  );
}

export function StarPart({ file, className }: { file: File; className?: string }) {
  const t = useT();
  return (
    <button
      type="button"
      aria-pressed={file.starred}
      aria-label={t('node.star', { name: shownName(file.name) })}
      tabIndex={-1}
      data-part="star"
      className={cx(
        'grid size-8 place-items-center rounded-control hover:bg-hover',
        file.starred
          ? 'text-blue'
          : 'text-ink-3 opacity-0 group-hover/entry:opacity-100 pointer-coarse:hidden',
        className,
      )}
    >
      <Star aria-hidden="true" className={cx('size-4', file.starred && 'fill-current')} />
    </button>
  );
}

export function MenuPart({ name, className }: { name: string; className?: string }) {
  const t = useT();
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={t('node.more', { name: shownName(name) })}
      tabIndex={-1}
      data-part="menu"
      className={cx('entry-menu', className)}
    >
      <EntryMenuIcon />
    </button>
  );
}

/** Thumbnail that fills its frame, or the centered icon of the file's kind. */
export const Picture = memo(function Picture({
  file,
  fit,
  isEntry = false,
}: {
  file: File;
  fit: 'cover' | 'contain';
  /** True in a list, which contains the icons of its entries. */
  isEntry?: boolean;
}) {
  const [broken, setBroken] = useState<string>();
  const kind = kindOf(file);
  const { thumbnail_link: source } = file;
  if (source === '' || source === broken) {
    return (
      <span className="grid size-full place-items-center bg-sunken">
        <KindTile file={file} kind={kind} size={fit === 'cover' ? 56 : 88} isEntry={isEntry} />
      </span>
    );
  }
  return (
    <>
      <img
        src={source}
        alt=""
        draggable={false}
        loading="lazy"
        decoding="async"
        ref={noticeBroken(() => setBroken(source))}
        onError={() => setBroken(source)}
        className={cx('size-full bg-sunken', fit === 'cover' ? 'object-cover' : 'object-contain')}
      />
      {kind === 'video' && <Duration file={file} />}
    </>
  );
});

function Duration({ file }: { file: File }) {
  const format = useFormat();
  const seconds = secondsOf(file);
  return (
    <span className="absolute end-2 bottom-2 flex h-5 items-center gap-1 rounded-small bg-black/70 px-1.5 text-12 font-medium text-white tabular-nums">
      <Play aria-hidden="true" className="size-3 fill-current" />
      {seconds !== undefined && format.duration(seconds)}
    </span>
  );
}

export function SmallTile({
  file,
  kind,
  size,
  isEntry = false,
}: {
  file: File;
  kind: FileCategory;
  size: number;
  /** True in a list, which contains the icons of its entries. */
  isEntry?: boolean;
}) {
  return (
    <KindTile
      file={file}
      kind={kind}
      size={size}
      isEntry={isEntry}
      {...(file.thumbnail_link === '' ? {} : { thumbnail: file.thumbnail_link })}
    />
  );
}

function KindTile({
  file: { folder_color: color, folder_emoji: emoji },
  kind,
  size,
  isEntry,
  thumbnail,
}: {
  file: File;
  kind: FileCategory;
  size: number;
  isEntry: boolean;
  thumbnail?: string;
}) {
  return (
    <FileTile
      category={kind}
      size={size}
      icon={
        emoji ? (
          <span aria-hidden="true" style={{ fontSize: size / 2, lineHeight: 1 }}>
            {emoji}
          </span>
        ) : (
          isEntry && <EntryKindIcon category={kind} size={Math.round(size / 2)} />
        )
      }
      {...(color && { className: `tint-${color}` })}
      {...(thumbnail === undefined ? {} : { thumbnail })}
    />
  );
}

/** Size and date on one line. */
export function SizeAndDate({ file }: { file: File }) {
  const format = useFormat();
  const date = <DateTime key="date" at={file.modified_time} />;
  const bytes = bytesOf(file);
  return bytes === undefined ? date : <Dotted facts={[format.bytes(bytes), date]} />;
}
