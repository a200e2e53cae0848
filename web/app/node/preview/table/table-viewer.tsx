import { useMemo, useState } from 'react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { Segmented } from '#app/ui/form/segmented.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { shownName } from '../../name/shown-name.ts';
import { Lines } from '../code/lines.tsx';
import { EditButton } from '../bar-buttons.tsx';
import { ENCODINGS, type Encoding, isNoText, SHOWN_BYTES } from '../text-file.ts';
import { TextState } from '../text-state.tsx';
import { Unavailable } from '../unavailable.tsx';
import { useText } from '../use-text.ts';
import type { ViewerProps } from '../viewer-props.ts';
import { type Delimiter, readTable } from './delimited.ts';
import { Table } from './table.tsx';

/** Number of bytes shown of a table. */
const MOST_BYTES = 4 * 1024 * 1024;

/** CSV and TSV as a table, or as text. */
export default function TableViewer({ file, onEdit }: ViewerProps) {
  const t = useT();
  const format = useFormat();
  const [encoding, setEncoding] = useState<Encoding>();
  const [delimiter, setDelimiter] = useState<Delimiter>();
  const [hasHeader, setHeader] = useState(true);
  const [shows, setShows] = useState<'table' | 'source'>('table');
  const text = useText(file, encoding, MOST_BYTES);
  const content = text.state === 'ready' ? text.content : undefined;
  const table = useMemo(
    () => (content === undefined ? undefined : readTable(content, delimiter)),
    [content, delimiter],
  );
  if (text.state !== 'ready' || !table) return <TextState file={file} text={text} />;
  if (encoding === undefined && isNoText(text.content)) return <Unavailable file={file} />;
  const isSource = shows === 'source';
  const most = isSource ? SHOWN_BYTES : MOST_BYTES;
  return (
    <div className="flex size-full min-w-0 flex-col">
      <div className="flex min-h-12 shrink-0 flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line px-4 py-1.5 print:hidden">
        <Segmented
          label={shownName(file.name)}
          value={shows}
          onChange={setShows}
          options={[
            { value: 'table', label: t('node.table') },
            { value: 'source', label: t('node.text.source') },
          ]}
        />
        {!isSource && (
          <>
            <Select
              label={t('node.table.delimiter')}
              hideLabel
              value={table.delimiter}
              onChange={setDelimiter}
              options={[
                { value: ',', label: t('node.table.comma') },
                { value: ';', label: t('node.table.semicolon') },
                { value: '\t', label: t('node.table.tab') },
                { value: '|', label: t('node.table.bar') },
              ]}
              className="w-36"
            />
            <Checkbox isSelected={hasHeader} onChange={setHeader} className="text-13">
              {t('node.table.header')}
            </Checkbox>
          </>
        )}
        <Select
          label={t('node.text.encoding')}
          hideLabel
          value={text.encoding}
          onChange={setEncoding}
          options={ENCODINGS.map((value) => ({ value, label: value.toUpperCase() }))}
          className="w-40 max-md:hidden"
        />
        <EditButton onEdit={onEdit} />
        {(text.isCut || (isSource && Number(file.size) > most)) && (
          <span className="text-13 text-ink-2">
            {t('node.text.cut', { shown: format.bytes(most), total: format.bytes(file.size) })}
          </span>
        )}
      </div>
      {isSource ? (
        <Lines content={text.content.slice(0, SHOWN_BYTES)} wraps={false} name={file.name} />
      ) : content === '' ? (
        <p className="m-auto text-ink-2">{t('node.text.empty')}</p>
      ) : (
        <Table table={table} hasHeader={hasHeader} name={file.name} />
      )}
    </div>
  );
}
