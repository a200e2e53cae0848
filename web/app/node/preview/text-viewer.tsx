import { useMemo, useState } from 'react';
import { WrapText } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { Select } from '#app/ui/form/select.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { blocksOfLines, ENCODINGS, type Encoding, isNoText, SHOWN_BYTES } from './text-file.ts';
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
      />
      <Lines content={text.content} wraps={wraps} />
    </div>
  );
}

interface TextBarProps {
  readonly text: LoadedText;
  readonly onEncoding: (encoding: Encoding) => void;
  readonly wraps: boolean;
  readonly onWraps: (wraps: boolean) => void;
  readonly size: number;
}

function TextBar({ text, onEncoding, wraps, onWraps, size }: TextBarProps) {
  const t = useT();
  const format = useFormat();
  return (
    <div className="flex min-h-12 shrink-0 items-center justify-center gap-3 border-b border-line px-4 py-1.5">
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
      {text.isCut && (
        <span className="text-13 text-ink-2">
          {t('node.text.cut', { shown: format.bytes(SHOWN_BYTES), total: format.bytes(size) })}
        </span>
      )}
    </div>
  );
}

export function Lines({ content, wraps }: { content: string; wraps: boolean }) {
  const t = useT();
  const blocks = useMemo(() => blocksOfLines(content), [content]);
  const digits = String(blocks.at(-1)?.at(-1)?.number ?? 1).length;
  if (content === '') return <p className="m-auto text-ink-2">{t('node.text.empty')}</p>;
  return (
    <div
      data-viewer-focus
      data-no-swipe={!wraps || undefined}
      // Scrollable, so it must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto py-4 font-mono text-13 leading-5 outline-none"
    >
      <div className={cx('mx-auto select-text', wraps ? 'max-w-240' : 'w-max min-w-full')}>
        {/* Lines never change places, so their index identifies them. */}
        {/* eslint-disable react/no-array-index-key */}
        {blocks.map((lines, at) => (
          <div
            key={at}
            style={{ contentVisibility: 'auto', containIntrinsicSize: `auto ${lines.length * 20}px` }}
          >
            {lines.map((line, at) => (
              <div key={at} className="flex">
                <span
                  data-number={line.number}
                  style={{ width: `${digits + 3}ch` }}
                  className="shrink-0 pe-[2ch] text-end text-ink-3 select-none before:content-[attr(data-number)]"
                />
                <span
                  className={cx(
                    'min-w-0 pe-6',
                    wraps ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
                  )}
                >
                  {line.text === '' ? '\u200b' : line.text}
                </span>
              </div>
            ))}
          </div>
        ))}
        {/* eslint-enable react/no-array-index-key */}
      </div>
    </div>
  );
}
