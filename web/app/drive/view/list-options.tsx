import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Columns3, Printer } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import type { DisplayModeControl, Entries } from '#app/node/index.ts';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import { usePrint } from './use-print.ts';

const ColumnsDialog = lazy(() => import('./columns-dialog.tsx'));

/** Menu items for the look of lists, and for printing this one. */
export function ListOptions({
  mode,
  entries,
  onColumns,
}: {
  mode: DisplayModeControl;
  entries: Entries;
  onColumns: () => void;
}) {
  const t = useT();
  const print = usePrint(entries);
  return (
    <>
      {mode.viewType === 'list' && (
        <>
          <MenuItem
            multiple
            isSelected={mode.isCompact}
            onAction={() => mode.change({ isCompact: !mode.isCompact })}
          >
            {t('node.view.compact')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Columns3 aria-hidden="true" />} onAction={onColumns}>
            {t('node.columns.choose')}
          </MenuItem>
        </>
      )}
      {mode.viewType !== 'list' && <MenuSeparator />}
      <MenuItem icon={<Printer aria-hidden="true" />} isDisabled={entries.count === 0} onAction={print}>
        {t('drive.print')}
      </MenuItem>
    </>
  );
}

/** Dialog in which the columns of lists are chosen. */
export function useColumnsDialog(mode: DisplayModeControl): {
  readonly open: () => void;
  readonly dialog: ReactNode;
} {
  const [isOpen, setOpen] = useState(false);
  return {
    open: () => setOpen(true),
    dialog: isOpen && (
      <Suspense>
        <ColumnsDialog
          columns={mode.columns}
          onChange={(columns) => mode.change({ columns })}
          onClose={() => setOpen(false)}
        />
      </Suspense>
    ),
  };
}
