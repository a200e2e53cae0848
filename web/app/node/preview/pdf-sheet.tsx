import { useEffect, useRef, useState } from 'react';
import { type Pdf, TextLayer } from './pdf-document.ts';
import './pdf-text.css';

interface PdfSheetProps {
  readonly pdf: Pdf;
  readonly number: number;
  readonly scale: number;
  /** Size of the first page, in points: the expected size of this page until it is loaded. */
  readonly width: number;
  readonly height: number;
  readonly label: string;
}

const NEAR = '800px 0px';
const MOST_PIXELS = 16_000_000;

/** One page: its frame, and, near the screen, its image with selectable text over it. */
export function PdfSheet({ pdf, number, scale, width, height, label }: PdfSheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [size, setSize] = useState({ width, height });

  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: NEAR,
    });
    observer.observe(sheet.current!);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!isNear) return undefined;
    let isHere = true;
    let stop = (): void => undefined;
    const draw = async () => {
      const page = await pdf.getPage(number);
      const viewport = page.getViewport({ scale });
      const [target, layer] = [canvas.current, words.current];
      if (!isHere || !target || !layer) return;
      setSize({ width: viewport.width / scale, height: viewport.height / scale });
      const dense = Math.min(
        window.devicePixelRatio,
        Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)),
      );
      target.width = Math.floor(viewport.width * dense);
      target.height = Math.floor(viewport.height * dense);
      const drawing = page.render({ canvas: target, viewport, transform: [dense, 0, 0, dense, 0, 0] });
      stop = () => drawing.cancel();
      await drawing.promise;
      layer.replaceChildren();
      await new TextLayer({
        textContentSource: page.streamTextContent(),
        container: layer,
        viewport,
      }).render();
    };
    // A page that is scrolled away while it is drawn rejects; a broken page stays white.
    draw().catch(() => undefined);
    return () => {
      isHere = false;
      stop();
    };
  }, [pdf, number, scale, isNear]);

  return (
    <div
      ref={sheet}
      role="img"
      aria-label={label}
      style={{ width: size.width * scale, height: size.height * scale }}
      className="relative overflow-hidden bg-white shadow-float"
    >
      {isNear && (
        <>
          <canvas ref={canvas} className="size-full" />
          <div ref={words} className="pdf-words" style={{ ['--total-scale-factor' as string]: scale }} />
        </>
      )}
    </div>
  );
}
