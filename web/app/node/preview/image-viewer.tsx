import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import { contentUrl } from '../file-facts.ts';
import { PrintButton } from './bar-buttons.tsx';
import { Unavailable } from './unavailable.tsx';
import { isDrawing, useDrawing } from './use-drawing.ts';
import { isDrawn } from './viewer-kind.ts';
import type { ViewerProps } from './viewer-props.ts';
import { FITTED, movedBy, type View, zoomedAt } from './zoom.ts';

const WHEEL = 0.0016;
const STEP = 1.4;

/** Picture: fits at first; zooms by wheel, pinch, double click and buttons, moves by dragging. */
export default function ImageViewer({ file }: ViewerProps) {
  const t = useT();
  const drawing = useDrawing(file);
  const original = isDrawing(file) ? drawing.url : isDrawn(file) ? contentUrl(file) : undefined;
  const source = drawing.isLoading ? undefined : (original ?? file.thumbnail_link);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [view, setView] = useState<View>(FITTED);
  const stage = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const moved = useRef(0);

  const pointIn = useCallback((x: number, y: number) => {
    const box = stage.current!.getBoundingClientRect();
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
  }, []);
  const zoom = useCallback(
    (factor: number, x?: number, y?: number) =>
      setView((old) =>
        zoomedAt(old, factor, x === undefined || y === undefined ? { x: 0, y: 0 } : pointIn(x, y)),
      ),
    [pointIn],
  );

  // React's wheel listeners are passive, and the page would zoom as well.
  useEffect(() => {
    const element = stage.current;
    if (!element) return undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(
        Math.exp(-event.deltaY * (event.deltaMode === 1 ? 20 : 1) * WHEEL * (event.ctrlKey ? 4 : 1)),
        event.clientX,
        event.clientY,
      );
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [zoom, state]);

  const onPointerDown = (event: PointerEvent) => {
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved.current = 0;
    if (view.scale > 1 || fingers.current.size > 1) event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, now);
    moved.current += Math.hypot(now.x - before.x, now.y - before.y);
    if (other) {
      const spread = (point: typeof now) => Math.hypot(point.x - other.x, point.y - other.y);
      zoom(spread(now) / Math.max(1, spread(before)), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else if (view.scale > 1)
      setView((old) => movedBy(old, now.x - before.x, now.y - before.y, boxOf(stage.current)));
  };
  const onPointerUp = (event: PointerEvent) => fingers.current.delete(event.pointerId);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoom(STEP);
    else if (event.key === '-') zoom(1 / STEP);
    else if (event.key === '0') setView(FITTED);
    else return;
    event.preventDefault();
  };

  if (source === '' || state === 'failed')
    return <Unavailable file={file} {...(isDrawn(file) ? {} : { text: t('node.preview.photo') })} />;
  return (
    // Buttons and keys do the same.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={stage}
      data-viewer-focus
      data-no-swipe={view.scale > 1 || undefined}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={(event) => (view.scale > 1 ? setView(FITTED) : zoom(2.5, event.clientX, event.clientY))}
      className={cx(
        'relative grid size-full touch-none place-items-center overflow-hidden outline-none select-none',
        view.scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
      )}
    >
      {state === 'loading' && original !== undefined && file.thumbnail_link !== '' && (
        <img
          src={file.thumbnail_link}
          alt=""
          className="absolute inset-0 size-full object-contain p-2 opacity-60 blur-sm"
        />
      )}
      {/* While a drawing loads, there is nothing to show. */}
      <img
        {...(source === undefined ? {} : { src: source })}
        alt={file.name}
        draggable={false}
        onLoad={() => setState('ready')}
        onError={() => setState('failed')}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        className={cx(
          'absolute inset-0 size-full object-contain p-2',
          fingers.current.size === 0 && 'transition-transform duration-100',
        )}
      />
      {state === 'loading' && (
        <Spinner label={t('node.preview.loading')} className="absolute size-8 text-ink-2" />
      )}
      <div className="absolute bottom-4 flex items-center rounded-card border border-line bg-card p-1 shadow-float max-md:hidden print:hidden">
        <IconButton
          label={t('node.image.zoom-out')}
          shortcut="−"
          icon={<ZoomOut />}
          disabled={view.scale <= 1}
          onClick={() => zoom(1 / STEP)}
        />
        <IconButton
          label={t('node.image.fit')}
          shortcut="0"
          icon={<Maximize2 />}
          disabled={view.scale === 1}
          onClick={() => setView(FITTED)}
        />
        <IconButton
          label={t('node.image.zoom-in')}
          shortcut="+"
          icon={<ZoomIn />}
          onClick={() => zoom(STEP)}
        />
        <PrintButton />
      </div>
    </div>
  );
}

const boxOf = (element: HTMLElement | null) => ({
  width: element?.clientWidth ?? 0,
  height: element?.clientHeight ?? 0,
});
