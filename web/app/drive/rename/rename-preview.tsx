import { useRef, useState } from 'react';
import { ArrowRight } from 'lucide-react';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { cx } from '#app/ui/class-names.ts';
import type { NameTrouble, RenameItem } from './new-names.ts';
import type { Preview } from './use-new-names.ts';

const TEXTS = {
  file_name_empty: 'drive.rename.nameEmpty',
  file_name_invalid: 'drive.rename.nameInvalid',
  file_name_too_long: 'drive.rename.nameLong',
  twice: 'drive.rename.twice',
  taken: 'drive.rename.taken',
} as const satisfies Record<NameTrouble, MessageKey>;

const ROW = 56;
const AROUND = 8;

/** Old and new names; only the visible rows are rendered. Items in trouble come first. */
export function RenamePreview({
  items,
  preview,
}: {
  items: readonly RenameItem[] | undefined;
  preview: Preview;
}) {
  const t = useT();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const { last } = preview;
  const height = box.current?.clientHeight ?? 400;
  const rows = last ? (onlyChanged ? last.rows.slice(0, last.changed) : last.rows) : [];
  const from = Math.max(0, Math.floor(top / ROW) - AROUND);
  const to = Math.min(rows.length, Math.ceil((top + height) / ROW) + AROUND);
  const troubles = last?.troubles.size ?? 0;
  return (
    <section aria-label={t('drive.rename.preview')} className="flex min-w-0 flex-col">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 pb-2">
        <p role="status" className={cx('font-medium', troubles > 0 ? 'text-danger' : 'text-ink-2')}>
          {last &&
            (troubles > 0
              ? t('drive.rename.troubles', { count: troubles })
              : t('drive.rename.changes', { count: last.changed }))}
        </p>
        <Checkbox isSelected={onlyChanged} onChange={setOnlyChanged}>
          {t('drive.rename.onlyChanged')}
        </Checkbox>
      </div>
      <div
        ref={box}
        role="group"
        aria-label={t('drive.rename.preview')}
        // A list that scrolls has to be reachable by keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        className="h-105 overflow-y-auto overscroll-contain rounded-card border border-line max-md:h-80"
      >
        {!items && [0, 1, 2, 3, 4].map((row) => <Skeleton key={row} className="m-3 h-8" />)}
        {items && last && (
          <ul className="relative" style={{ height: rows.length * ROW }}>
            {rows.slice(from, to).map((at, index) => (
              <NameRow
                key={items[at]!.id}
                top={(from + index) * ROW}
                from={items[at]!.name}
                to={last.names[at]!}
                trouble={last.troubles.get(at)}
              />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function NameRow({
  top,
  from,
  to,
  trouble,
}: {
  top: number;
  from: string;
  to: string;
  trouble: NameTrouble | undefined;
}) {
  const t = useT();
  const isSame = from === to;
  return (
    <li
      className="absolute inset-x-0 flex items-center gap-3 border-b border-line px-3"
      style={{ top, height: ROW }}
    >
      <div className="min-w-0 flex-1">
        <span
          className={cx('block truncate', isSame ? 'text-ink-2' : 'text-13 text-ink-3')}
          title={shownName(from)}
        >
          <bdi>{shownName(from)}</bdi>
        </span>
        {!isSame && (
          <span className={cx('block truncate font-medium', trouble && 'text-danger')} title={shownName(to)}>
            <ArrowRight className="me-1.5 inline size-3.5 text-ink-3" aria-hidden="true" />
            <bdi>{to === '' ? '—' : shownName(to)}</bdi>
          </span>
        )}
      </div>
      {trouble && (
        <span className="max-w-[45%] shrink-0 text-end text-12 leading-4 text-danger">
          {t(TEXTS[trouble])}
        </span>
      )}
    </li>
  );
}
