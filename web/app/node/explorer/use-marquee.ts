import { type PointerEvent, type RefObject, useRef, useState } from 'react';
import type { Entries } from '../entries/entries.ts';
import { including, only, type Selection } from '../entries/selection.ts';
import { NOTHING } from '../entries/selection.ts';
import { type Box, type Geometry, rowsTouching } from './geometry.ts';

const BEGINS_AFTER = 5;
const EDGE = 40;

interface Start {
  readonly x: number;
  readonly y: number;
  readonly pointerId: number;
  readonly base: Selection;
}

/** Rectangle drawn with the mouse from empty space; selects the entries that it touches. */
export function useMarquee(options: {
  readonly body: RefObject<HTMLDivElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly geometry: Geometry | undefined;
  readonly entries: Entries;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
}) {
  const { body, scroller, geometry, entries, selection, select } = options;
  const [box, setBox] = useState<Box>();
  const start = useRef<Start>(undefined);
  const pointer = useRef({ x: 0, y: 0 });
  /** True after a marquee was drawn: the click at its end is ignored. */
  const hasDrawn = useRef(false);
  const frame = useRef(0);

  const draw = () => {
    const from = start.current;
    const rect = body.current?.getBoundingClientRect();
    if (!from || !rect || !geometry) return;
    const [x, y] = [pointer.current.x - rect.left, pointer.current.y - rect.top];
    const next: Box = {
      left: Math.min(from.x, x),
      right: Math.max(from.x, x),
      top: Math.min(from.y, y),
      bottom: Math.max(from.y, y),
    };
    setBox(next);
    const inset = parseFloat(getComputedStyle(body.current!).getPropertyValue('--inset')) || 0;
    const inRows = { ...next, left: next.left - inset, right: next.right - inset };
    const files = rowsTouching(inRows, entries.count, geometry).flatMap((row) => entries.fileAt(row) ?? []);
    select(
      from.base.mode === 'some' && from.base.picked.size === 0 ? only(...files) : including(from.base, files),
    );
  };

  const creep = () => {
    const edges = scroller.current?.getBoundingClientRect();
    if (!start.current || !edges) return;
    const { y } = pointer.current;
    const speed =
      y < edges.top + EDGE ? y - edges.top - EDGE : y > edges.bottom - EDGE ? y - edges.bottom + EDGE : 0;
    if (speed !== 0) {
      scroller.current!.scrollTop += speed / 3;
      draw();
    }
    frame.current = requestAnimationFrame(creep);
  };

  const end = () => {
    cancelAnimationFrame(frame.current);
    start.current = undefined;
    setBox(undefined);
  };

  return {
    box,
    takesClick(): boolean {
      const taken = hasDrawn.current;
      hasDrawn.current = false;
      return taken;
    },
    props: {
      onPointerDown(event: PointerEvent) {
        hasDrawn.current = false;
        const target = event.target as Element;
        if (event.pointerType !== 'mouse' || event.button !== 0 || !geometry) return;
        if (target.closest('button, a, input, [draggable=true], [role=columnheader]')) return;
        const rect = body.current?.getBoundingClientRect();
        if (!rect) return;
        const adds = event.ctrlKey || event.metaKey || event.shiftKey;
        start.current = {
          x: event.clientX - rect.left,
          y: event.clientY - rect.top,
          pointerId: event.pointerId,
          base: adds ? selection : NOTHING,
        };
        pointer.current = { x: event.clientX, y: event.clientY };
      },
      onPointerMove(event: PointerEvent) {
        const from = start.current;
        if (!from) return;
        const rect = body.current!.getBoundingClientRect();
        const moved = Math.hypot(event.clientX - rect.left - from.x, event.clientY - rect.top - from.y);
        pointer.current = { x: event.clientX, y: event.clientY };
        if (!hasDrawn.current) {
          if (moved < BEGINS_AFTER) return;
          hasDrawn.current = true;
          event.currentTarget.setPointerCapture(from.pointerId);
          frame.current = requestAnimationFrame(creep);
        }
        draw();
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}
