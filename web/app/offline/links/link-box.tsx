import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { ClipboardPaste, FileText, Magnet } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { useFileDrop } from '#app/ui/use-file-drop.ts';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';
import type { ParsedText, UnreadLine } from './parse-links.ts';
import { UnreadLines } from './unread-lines.tsx';

/** Largest text file with links, in bytes. */
const TEXT_MAX = 2 ** 20;

/** Line height of the box in pixels: `leading-6`. */
const LINE_HEIGHT = 24;

const isTorrent = (file: File): boolean =>
  /\.torrent$/i.test(file.name) || file.type === 'application/x-bittorrent';

/** Box for links: typed, pasted, dropped, or read from a text file; accepts .torrent files, too. */
export function LinkBox({
  text,
  onText,
  onTorrents,
  parsed,
  onSubmit,
  rows = 5,
  end,
}: {
  text: string;
  /** `how` distinguishes typed text from text of a file or the clipboard. */
  onText: (text: string, how: 'typed' | 'brought') => void;
  onTorrents: (files: readonly File[]) => void;
  parsed: ParsedText;
  /** Called on Ctrl+Enter. */
  onSubmit?: () => void;
  rows?: number;
  /** Content at the end of the row of buttons. */
  end?: ReactNode;
}) {
  const t = useT();
  const id = useId();
  const isBrowser = useIsBrowser();
  const box = useRef<HTMLTextAreaElement>(null);
  const textFile = useRef<HTMLInputElement>(null);
  const torrentFile = useRef<HTMLInputElement>(null);

  const append = (more: string): void =>
    onText(text.trim() === '' ? more : `${text.replace(/\s+$/, '')}\n${more}`, 'brought');
  const takeFiles = async (files: readonly File[]): Promise<void> => {
    const torrents = files.filter(isTorrent);
    if (torrents.length > 0) onTorrents(torrents);
    const texts = files.filter((file) => !isTorrent(file) && file.size <= TEXT_MAX);
    const read = await Promise.all(texts.map((file) => file.text()));
    if (read.length > 0) append(read.join('\n'));
    if (torrents.length + texts.length < files.length)
      toast.show({ text: t('offline.add.fileTooLarge'), tone: 'danger' });
  };
  const pasteClipboard = (): void => {
    navigator.clipboard.readText().then(append, () => toast.show({ text: t('offline.add.noClipboard') }));
  };
  const show = ({ start, end }: UnreadLine): void => {
    const area = box.current!;
    area.focus();
    area.setSelectionRange(start, end);
    // Setting a selection does not scroll to it.
    area.scrollTop = (text.slice(0, start).split('\n').length - 2) * LINE_HEIGHT;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSubmit?.();
  };
  const { isOver, area } = useFileDrop((event) => {
    // The surrounding page accepts dropped files as well, for uploads.
    event.stopPropagation();
    void takeFiles([...event.dataTransfer.files]);
  });
  const picked = (input: HTMLInputElement): void => {
    const files = [...(input.files ?? [])];
    input.value = '';
    void takeFiles(files);
  };

  return (
    // Dropping is a shortcut for the pointer; the buttons below do the same by keyboard.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="relative" {...area}>
      <label htmlFor={id} className="sr-only">
        {t('offline.add.box')}
      </label>
      <textarea
        ref={box}
        id={id}
        rows={rows}
        value={text}
        onChange={(event) => onText(event.currentTarget.value, 'typed')}
        onKeyDown={onKeyDown}
        // The end of a long link is uninformative: its start stays visible.
        onPaste={({ currentTarget }) => void requestAnimationFrame(() => currentTarget.scrollTo({ left: 0 }))}
        placeholder={t('offline.add.placeholder')}
        aria-describedby={`${id}-count`}
        spellCheck={false}
        autoCapitalize="none"
        autoCorrect="off"
        wrap="off"
        className={cx(
          'field block h-auto! resize-y overflow-auto py-2.5! leading-6 placeholder:whitespace-pre-wrap placeholder:text-ink-3',
          isOver && 'border-blue!',
        )}
      />
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        <p id={`${id}-count`} role="status" className="num mr-auto min-h-5 text-13 text-ink-2">
          <Counts parsed={parsed} />
        </p>
        <span className="flex flex-wrap items-center gap-1 max-md:-ml-2">
          {isBrowser && 'clipboard' in navigator && (
            <Button
              size="s"
              variant="plain"
              className="max-md:h-11"
              icon={<ClipboardPaste />}
              onClick={pasteClipboard}
            >
              {t('offline.add.paste')}
            </Button>
          )}
          <Button
            size="s"
            variant="plain"
            className="max-md:h-11"
            icon={<FileText />}
            onClick={() => textFile.current?.click()}
          >
            {t('offline.add.textFile')}
          </Button>
          <Button
            size="s"
            variant="plain"
            className="max-md:h-11"
            icon={<Magnet />}
            onClick={() => torrentFile.current?.click()}
          >
            {t('offline.add.torrent')}
          </Button>
          {end}
        </span>
      </div>
      <UnreadLines lines={parsed.unread} onShow={show} />
      <input
        ref={textFile}
        type="file"
        hidden
        tabIndex={-1}
        aria-hidden="true"
        accept=".txt,.csv,.md,.html,.htm,.json,text/*"
        onChange={(event) => picked(event.currentTarget)}
      />
      <input
        ref={torrentFile}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-hidden="true"
        // Phones don't know the type, and would offer no files.
        accept=".torrent,application/x-bittorrent,application/octet-stream"
        onChange={(event) => picked(event.currentTarget)}
      />
      {isOver && (
        <div className="pointer-events-none absolute inset-0 grid place-items-center rounded-control border-2 border-dashed border-blue bg-blue-wash">
          <p className="flex items-center gap-3 px-6 text-16 font-semibold text-blue-strong">
            <Magnet />
            {t('offline.add.dropHere')}
          </p>
        </div>
      )}
    </div>
  );
}

function Counts({ parsed: { links, duplicates, unread } }: { parsed: ParsedText }) {
  const t = useT();
  if (links.length + duplicates + unread.length === 0) return t('offline.add.hint');
  const wordless = unread.filter(({ reason }) => reason === 'none').length;
  const refused = unread.length - wordless;
  return (
    <>
      <b className={cx('font-semibold', links.length > 0 && 'text-ink')}>
        {t('offline.add.valid', { count: links.length })}
      </b>
      {duplicates > 0 && ` · ${t('offline.add.duplicates', { count: duplicates })}`}
      <span className="text-warning">
        {wordless > 0 && ` · ${t('offline.add.unreadable', { count: wordless })}`}
        {refused > 0 && ` · ${t('offline.add.unusable', { count: refused })}`}
      </span>
    </>
  );
}
