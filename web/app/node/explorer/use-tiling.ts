import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';
import { bottomInset } from '#app/ui/bottom-inset.ts';
import type { ExplorerView } from './explorer-props.ts';
import {
  type Geometry,
  geometryOf,
  HEADING,
  headingsAbove,
  lineCount,
  lineStep,
  lineTop,
  reanchored,
} from './geometry.ts';
import { placeOf, recalledPlace, rememberPlace, writePlace } from './place.ts';
import { type Lines, linesAt, readViewport, scrollBy, type Viewport } from './viewport.ts';

export interface Tiling {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly body: RefObject<HTMLDivElement | null>;
  /** Content above the rows that scrolls with them. */
  readonly lead: RefObject<HTMLDivElement | null>;
  /** `undefined` in the first paint, which CSS lays out because the width is not known yet. */
  readonly geometry: Geometry | undefined;
  /** Rows to render: those on the screen, some around them, and always the current one. */
  readonly rows: readonly number[];
  /** Rows on the screen and a little beyond, whose pages are requested. */
  readonly wanted: { readonly from: number; readonly to: number };
  /** Number of lines that fit on the screen. */
  readonly lines: () => number;
  readonly bodyStyle: CSSProperties;
  readonly styleOf: (row: number) => CSSProperties;
  /** Scrolls as little as needed to show a row. */
  readonly reveal: (row: number) => void;
  /**
   * Same as `reveal` for a row that is on the screen but covered by a bar at the bottom; other rows stay where
   * they are.
   */
  readonly uncover: (row: number) => void;
}

interface Size {
  readonly width: number;
  readonly rowHeight: number;
}

const WANTED_AHEAD = 60;
/** A screenful of rows or tiles on a large screen. */
const FIRST_PAINT_ROWS = 30;
/** Space left below a row that was scrolled to. */
const BELOW = 12;

/** Last list size per scroll mode: initial size of a list rendered in the browser. */
const lastSizes = new Map<string, Size>();

export function useTiling(options: {
  readonly view: ExplorerView;
  readonly scroll: 'own' | 'page';
  readonly count: number;
  readonly current: number;
  readonly placeKey: string;
  /** Rows below a heading, in order: the same array while they don't change. */
  readonly headings: readonly number[];
}): Tiling {
  const { view, scroll, count, current, placeKey, headings } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const lead = useRef<HTMLDivElement>(null);
  const isBrowser = useIsBrowser();
  const [size, setSize] = useState(() => (isBrowser ? lastSizes.get(scroll) : undefined));
  const geometry = useMemo(
    () => size && geometryOf(view, size.width, size.rowHeight, headings),
    [view, size, headings],
  );
  const [screen, setScreen] = useState<Lines>(() => linesAt(geometry, placeOf(placeKey)?.top ?? 0, 900));
  const seen = useRef<Viewport>({ top: 0, height: 600, scrolled: 0 });
  const latestRow = useRef(current);
  const pendingTop = useRef(isBrowser ? placeOf(placeKey)?.top : undefined);

  const read = useCallback(() => readViewport(scroll, scroller.current, body.current), [scroll]);

  const look = useCallback(
    (geometry: Geometry | undefined) => {
      const viewport = read();
      if (!viewport || !geometry) return;
      const next = linesAt(geometry, viewport.top, viewport.height);
      seen.current = viewport;
      if (pendingTop.current === undefined)
        rememberPlace(placeKey, { top: viewport.scrolled, row: latestRow.current });
      setScreen((old) => (old.first === next.first && old.last === next.last ? old : next));
    },
    [read, placeKey],
  );

  // Runs before the first paint in the browser, and whenever the width changes.
  useLayoutEffect(() => {
    const element = body.current;
    if (!element) return undefined;
    const measure = () => {
      const width = element.clientWidth - parseFloat(getComputedStyle(element).paddingInlineStart) * 2;
      const rowHeight = parseFloat(getComputedStyle(element).getPropertyValue('--entry'));
      if (width <= 0) return;
      lastSizes.set(scroll, { width, rowHeight });
      setSize((old) => (old?.width === width && old.rowHeight === rowHeight ? old : { width, rowHeight }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroll]);

  // A new layout shows the same rows; a listing that is shown again restores its position once it is long enough.
  const shown = useRef<Geometry>(undefined);
  useLayoutEffect(() => {
    if (!geometry) return;
    const viewport = read();
    const before = shown.current;
    shown.current = geometry;
    const wanted = pendingTop.current;
    if (viewport && wanted !== undefined && scroll === 'own') {
      scrollBy(scroll, scroller.current, wanted - viewport.scrolled);
      if (Math.abs((read()?.scrolled ?? 0) - wanted) < 2) pendingTop.current = undefined;
    } else if (viewport && before && before !== geometry) {
      scrollBy(scroll, scroller.current, reanchored(seen.current.top, before, geometry) - viewport.top);
    }
    look(geometry);
  }, [geometry, count, read, look, scroll]);

  useEffect(() => {
    const target = scroll === 'own' ? scroller.current : window;
    const viewer = scroller.current;
    if (!target) return undefined;
    const onScroll = () => flushSync(() => look(geometry));
    const giveUp = () => {
      pendingTop.current = undefined;
    };
    target.addEventListener('scroll', onScroll, { passive: true });
    target.addEventListener('wheel', giveUp, { passive: true });
    target.addEventListener('touchmove', giveUp, { passive: true });
    const observer = new ResizeObserver(() => look(geometry));
    if (viewer) observer.observe(viewer);
    if (lead.current) observer.observe(lead.current);
    window.addEventListener('resize', onScroll);
    return () => {
      target.removeEventListener('scroll', onScroll);
      target.removeEventListener('wheel', giveUp);
      target.removeEventListener('touchmove', giveUp);
      window.removeEventListener('resize', onScroll);
      observer.disconnect();
    };
  }, [scroll, look, geometry]);

  // Restores the position after a reload, too, but only after the first paint, which must equal the server's.
  useEffect(() => {
    if (scroll === 'own' && !placeOf(placeKey)) {
      const place = recalledPlace(placeKey);
      if (place) pendingTop.current = place.top;
    }
    const write = () => writePlace(placeKey);
    window.addEventListener('pagehide', write);
    return () => {
      window.removeEventListener('pagehide', write);
      write();
    };
  }, [placeKey, scroll]);

  useEffect(() => {
    latestRow.current = current;
    if (pendingTop.current === undefined)
      rememberPlace(placeKey, { top: seen.current.scrolled, row: current });
  }, [placeKey, current]);

  const reveal = useCallback(
    (row: number) => {
      const viewport = read();
      if (!viewport || !geometry) return;
      const top = lineTop(geometry, Math.floor(row / geometry.columns));
      const above = top - viewport.top;
      const below = top + geometry.height + BELOW - (viewport.top + viewport.height - bottomInset());
      if (above < 0 || below > 0)
        scrollBy(scroll, scroller.current, above < 0 ? above : Math.min(below, above));
      look(geometry);
    },
    [read, look, geometry, scroll],
  );

  const uncover = useCallback(
    (row: number) => {
      const viewport = read();
      if (!viewport || !geometry) return;
      const top = lineTop(geometry, Math.floor(row / geometry.columns));
      if (top >= viewport.top && top < viewport.top + viewport.height) reveal(row);
    },
    [read, geometry, reveal],
  );

  const rows = useMemo(() => rowsOf(geometry, screen, count, current), [geometry, screen, count, current]);
  const wanted = useMemo(() => {
    const columns = geometry?.columns ?? 1;
    return { from: screen.first * columns, to: Math.min(count, screen.last * columns + WANTED_AHEAD) };
  }, [geometry, screen, count]);

  return {
    scroller,
    body,
    lead,
    geometry,
    rows,
    wanted,
    lines: () => (geometry ? Math.max(1, Math.floor(seen.current.height / lineStep(geometry)) - 1) : 1),
    reveal,
    uncover,
    ...useStyles(view, geometry, count, headings),
  };
}

function rowsOf(geometry: Geometry | undefined, screen: Lines, count: number, current: number): number[] {
  if (!geometry) return Array.from({ length: Math.min(count, FIRST_PAINT_ROWS) }, (_, row) => row);
  const from = Math.min(screen.first, lineCount(count, geometry)) * geometry.columns;
  const to = Math.min(count, screen.last * geometry.columns);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  if (current < count && current < from) rows.unshift(current);
  else if (current < count && current >= to) rows.push(current);
  return rows;
}

function useStyles(
  view: ExplorerView,
  geometry: Geometry | undefined,
  count: number,
  headings: readonly number[],
) {
  return useMemo(() => {
    const styleOf = (row: number): CSSProperties => {
      if (!geometry) return {};
      if (view === 'list')
        return {
          position: 'absolute',
          insetInline: 0,
          top: `calc(var(--entry) * ${row} + ${HEADING * headingsAbove(headings, row)}px)`,
        };
      const { columns, width, height, gap } = geometry;
      return {
        position: 'absolute',
        width,
        height,
        top: Math.floor(row / columns) * (height + gap),
        insetInlineStart:
          view === 'flow'
            ? `calc(50% - ${width / 2}px)`
            : `calc(var(--inset) + ${(row % columns) * (width + gap)}px)`,
      };
    };
    const bodyStyle: CSSProperties =
      view === 'list'
        ? { minHeight: `calc(var(--entry) * ${count} + ${HEADING * headings.length}px)` }
        : geometry
          ? { height: Math.max(0, lineCount(count, geometry) * lineStep(geometry) - geometry.gap) }
          : {};
    return { styleOf, bodyStyle };
  }, [view, geometry, count, headings]);
}
