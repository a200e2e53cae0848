import { useState } from 'react';
import { WrapText } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Select } from '#app/ui/form/select.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Lines } from './code/lines.tsx';
import { EditButton, PrintButton } from './bar-buttons.tsx';
import { ENCODINGS, type Encoding, isNoText, SHOWN_BYTES } from './text-file.ts';
import { type LoadedText, useText } from './use-text.ts';
import { TextState } from './text-state.tsx';
import { Unavailable } from './unavailable.tsx';
import type { ViewerProps } from './viewer-props.ts';

/** Text and code with line numbers, in the detected or chosen encoding. */
export default function TextViewer(props: ViewerProps) {
  const [encoding, setEncoding] = useState<Encoding>();
  const [wraps, setWraps] = useState(true);
  const text = useText(props.file, encoding);
  if (text.state !== 'ready') return <TextState file={props.file} text={text} />;
  if (encoding === undefined && isNoText(text.content)) return <Unavailable file={props.file} />;
  return (
    <div className="flex size-full flex-col">
      <TextBar
        text={text}
        onEncoding={setEncoding}
        wraps={wraps}
        onWraps={setWraps}
        size={Number(props.file.size)}
        onEdit={props.onEdit}
      />
      <Lines content={text.content} wraps={wraps} name={props.file.name} />
    </div>
  );
}

interface TextBarProps {
  readonly text: LoadedText;
  readonly onEncoding: (encoding: Encoding) => void;
  readonly wraps: boolean;
  readonly onWraps: (wraps: boolean) => void;
  readonly size: number;
  readonly onEdit: (() => void) | undefined;
}

function TextBar({ text, onEncoding, wraps, onWraps, size, onEdit }: TextBarProps) {
  const t = useT();
  const format = useFormat();
  return (
    <div className="flex min-h-12 shrink-0 items-center justify-center gap-3 border-b border-line px-4 py-1.5 print:hidden">
      <Select
        label={t('node.text.encoding')}
        hideLabel
        value={text.encoding}
        onChange={onEncoding}
        options={ENCODINGS.map((value) => ({ value, label: value.toUpperCase() }))}
        className="w-44"
      />
      <IconButton
        label={t('node.text.wrap')}
        icon={<WrapText />}
        isPressed={wraps}
        onClick={() => onWraps(!wraps)}
      />
      <PrintButton />
      <EditButton onEdit={onEdit} />
      {text.isCut && (
        <span className="text-13 text-ink-2">
          {t('node.text.cut', { shown: format.bytes(SHOWN_BYTES), total: format.bytes(size) })}
        </span>
      )}
    </div>
  );
}
