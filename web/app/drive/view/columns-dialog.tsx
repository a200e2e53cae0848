import { useEffect, useRef } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { COLUMN_NAMES, type ColumnName, DEFAULT_COLUMNS, isDefault } from '#app/node/display/column-name.ts';
import { COLUMN_LABELS } from '#app/node/columns/file-columns.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { moved } from './move-column.ts';

/** Columns to show in lists, and their order. Changes apply at once. */
export default function ColumnsDialog({
  columns,
  onChange,
  onClose,
}: {
  columns: readonly ColumnName[];
  onChange: (columns: readonly ColumnName[]) => void;
  onClose: () => void;
}) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  /** Button that has moved with its column, and should keep the focus. */
  const used = useRef<{ readonly name: ColumnName; readonly step: 1 | -1 }>(undefined);
  useEffect(() => {
    if (!used.current) return;
    const { name, step } = used.current;
    used.current = undefined;
    const buttonOf = (way: number) =>
      list.current?.querySelector<HTMLButtonElement>(`[data-move="${name} ${way}"]:enabled`);
    (buttonOf(step) ?? buttonOf(-step))?.focus();
  }, [columns]);
  const move = (name: ColumnName, step: 1 | -1) => {
    used.current = { name, step };
    onChange(moved(columns, name, step));
  };
  return (
    <Dialog
      isOpen
      compact
      onClose={onClose}
      title={t('node.columns')}
      footer={
        <>
          <Button disabled={isDefault(columns)} onClick={() => onChange(DEFAULT_COLUMNS)}>
            {t('node.columns.reset')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('ui.close')}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-13 text-ink-2">{t('node.columns.text')}</p>
      <ul ref={list} className="grid gap-0.5">
        {[...columns, ...COLUMN_NAMES.filter((name) => !columns.includes(name))].map((name) => {
          const at = columns.indexOf(name);
          const label = t(COLUMN_LABELS[name]);
          return (
            <li key={name} className="flex min-h-11 items-center justify-between gap-2">
              <Checkbox
                isSelected={at >= 0}
                onChange={(isChosen) =>
                  onChange(isChosen ? [...columns, name] : columns.filter((other) => other !== name))
                }
                className="min-w-0 flex-1 py-2"
              >
                {label}
              </Checkbox>
              {at >= 0 && (
                <span className="flex shrink-0">
                  <IconButton
                    label={t('node.columns.earlier', { name: label })}
                    icon={<ArrowUp aria-hidden="true" />}
                    data-move={`${name} -1`}
                    disabled={at === 0}
                    onClick={() => move(name, -1)}
                  />
                  <IconButton
                    label={t('node.columns.later', { name: label })}
                    icon={<ArrowDown aria-hidden="true" />}
                    data-move={`${name} 1`}
                    disabled={at === columns.length - 1}
                    onClick={() => move(name, 1)}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
