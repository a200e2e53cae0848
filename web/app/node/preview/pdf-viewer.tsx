import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ZoomIn, ZoomOut } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import { contentUrl } from '../file-facts.ts';
import { openPdf, type Pdf } from './pdf-document.ts';
import { PdfSheet } from './pdf-sheet.tsx';
import { Unavailable } from './unavailable.tsx';
import type { ViewerProps } from './viewer-props.ts';

const GAP = 16;
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;

type State =
  | { readonly at: 'opening' | 'failed' }
  | { readonly at: 'locked'; readonly isWrong: boolean; readonly answer: (password: string) => void }
  | { readonly at: 'open'; readonly pdf: Pdf; readonly width: number; readonly height: number };

/** PDF, page below page. Only the pages near the screen are drawn. */
export default function PdfViewer({ file }: ViewerProps) {
  const t = useT();
  const [state, setState] = useState<State>({ at: 'opening' });
  const url = contentUrl(file);

  useEffect(() => {
    if (url === undefined) return setState({ at: 'failed' });
    let isHere = true;
    const opening = openPdf(url, (answer, isWrong) => isHere && setState({ at: 'locked', isWrong, answer }));
    opening.document
      .then(async (pdf) => {
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
        if (isHere) setState({ at: 'open', pdf, width, height });
      })
      .catch(() => isHere && setState({ at: 'failed' }));
    return () => {
      isHere = false;
      opening.close();
    };
  }, [url]);

  switch (state.at) {
    case 'opening':
      return <Spinner label={t('node.preview.loading')} className="m-auto size-8 text-ink-2" />;
    case 'failed':
      return <Unavailable file={file} text={t('node.preview.failed')} />;
    case 'locked':
      return <PasswordForm {...state} />;
    case 'open':
      return <Sheets {...state} />;
  }
}

function PasswordForm({ isWrong, answer }: { isWrong: boolean; answer: (password: string) => void }) {
  const t = useT();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('pdf-password');
    if (typeof password === 'string' && password !== '') answer(password);
  };
  return (
    <form onSubmit={submit} className="m-auto grid w-full max-w-80 gap-4 p-6">
      <p className="text-center">{t('node.pdf.password')}</p>
      <TextField
        name="pdf-password"
        type="password"
        autoComplete="off"
        label={t('node.pdf.password.label')}
        {...(isWrong ? { error: t('node.pdf.password.wrong') } : {})}
      />
      <Button variant="primary" size="l" type="submit">
        {t('node.pdf.password.open')}
      </Button>
    </form>
  );
}

function Sheets({ pdf, width, height }: { pdf: Pdf; width: number; height: number }) {
  const t = useT();
  const format = useFormat();
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  const [zoom, setZoom] = useState(1);
  const [page, setPage] = useState(1);
  const scale = room > 0 ? (Math.min(room, 1000) / width) * zoom : 0;
  const step = height * scale + GAP;

  useEffect(() => {
    const element = box.current!;
    const measure = () => setRoom(element.clientWidth - GAP * 2);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const zoomTo = (next: number) => {
    const element = box.current!;
    const middle = element.scrollTop / Math.max(1, element.scrollHeight);
    setZoom(next);
    requestAnimationFrame(() => {
      element.scrollTop = middle * element.scrollHeight;
    });
  };
  const larger = ZOOMS.find((one) => one > zoom);
  const smaller = ZOOMS.findLast((one) => one < zoom);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.key === '+' || event.key === '=') && larger) zoomTo(larger);
    else if (event.key === '-' && smaller) zoomTo(smaller);
    else if (event.key === '0') zoomTo(1);
    else return;
    event.preventDefault();
  };

  return (
    <div className="relative size-full">
      {/* Scrollable, so it must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={box}
        data-viewer-focus
        data-no-swipe={zoom > 1 || undefined}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={(event) =>
          setPage(Math.min(pdf.numPages, Math.floor((event.currentTarget.scrollTop + step / 3) / step) + 1))
        }
        className="size-full overflow-auto outline-none"
      >
        {scale > 0 && (
          <div className="mx-auto grid w-max gap-4 p-4">
            {Array.from({ length: pdf.numPages }, (_, at) => (
              <PdfSheet
                key={at}
                pdf={pdf}
                number={at + 1}
                scale={scale}
                width={width}
                height={height}
                label={t('node.pdf.page', { page: at + 1, total: pdf.numPages })}
              />
            ))}
          </div>
        )}
      </div>
      <div className="absolute bottom-4 left-1/2 flex -translate-x-1/2 items-center gap-1 rounded-card border border-line bg-card p-1 shadow-float">
        <IconButton
          label={t('node.image.zoom-out')}
          icon={<ZoomOut />}
          disabled={!smaller}
          onClick={() => smaller && zoomTo(smaller)}
        />
        <span className="min-w-12 text-center text-13 text-ink-2 tabular-nums">{format.percent(zoom)}</span>
        <IconButton
          label={t('node.image.zoom-in')}
          icon={<ZoomIn />}
          disabled={!larger}
          onClick={() => larger && zoomTo(larger)}
        />
        <span className="border-s border-line px-3 text-13 whitespace-nowrap text-ink-2 tabular-nums">
          {t('node.pdf.page', { page, total: pdf.numPages })}
        </span>
      </div>
    </div>
  );
}
