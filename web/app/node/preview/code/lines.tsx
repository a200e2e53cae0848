import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { blocksOfLines, type Line, LONGEST_LINE } from '../text-file.ts';
import type { SaidCode } from './highlight-worker.ts';
import type { Token } from './tokens.ts';
import { useHighlight } from './use-highlight.ts';
import './code-colors.css';

/** Lines of a text with their numbers. Programs are colored, near the screen only. */
export function Lines({ content, wraps, name }: { content: string; wraps: boolean; name: string }) {
  const t = useT();
  const blocks = useMemo(() => blocksOfLines(content), [content]);
  const colored = useHighlight(name, content);
  const digits = String(blocks.at(-1)?.at(-1)?.number ?? 1).length;
  if (content === '') return <p className="m-auto text-ink-2">{t('node.text.empty')}</p>;
  return (
    <div
      data-viewer-focus
      data-no-swipe={!wraps || undefined}
      data-printed
      // Scrollable, so it must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto py-4 font-mono text-13 leading-5 outline-none"
    >
      <div className={cx('mx-auto select-text', wraps ? 'max-w-240' : 'w-max min-w-full')}>
        {blocks.map((lines, at) => (
          // Lines never change places, so their index identifies them.
          // oxlint-disable-next-line react/no-array-index-key
          <Block key={at} lines={lines} digits={digits} wraps={wraps} colored={colored} />
        ))}
      </div>
    </div>
  );
}

const NEAR = '1200px 0px';

const Block = memo(function Block({
  lines,
  digits,
  wraps,
  colored,
}: {
  lines: readonly Line[];
  digits: number;
  wraps: boolean;
  colored: SaidCode | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: NEAR,
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} style={{ contentVisibility: 'auto', containIntrinsicSize: `auto ${lines.length * 20}px` }}>
      {lines.map(({ number, text }, at) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="flex">
          <span
            data-number={number}
            style={{ width: `${digits + 3}ch` }}
            className="shrink-0 pe-[2ch] text-end text-ink-3 select-none before:content-[attr(data-number)]"
          />
          <span
            className={cx(
              'min-w-0 pe-6',
              wraps ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
            )}
          >
            {text === '' ? (
              '\u200b'
            ) : isNear && number !== undefined && text.length < LONGEST_LINE ? (
              <Colored tokens={colored?.[number - 1]} text={text} />
            ) : (
              text
            )}
          </span>
        </div>
      ))}
    </div>
  );
});

function Colored({ tokens, text }: { tokens: readonly Token[] | undefined; text: string }) {
  if (!tokens) return text;
  return tokens.map(([color, piece], at) =>
    color === '' ? (
      piece
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <span key={at} className={`code-${color}`}>
        {piece}
      </span>
    ),
  );
}
