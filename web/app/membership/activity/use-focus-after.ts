import { useEffect, useRef, type RefObject } from 'react';

/**
 * Returns a reference to an element that gets the focus when something becomes true, because the button that caused it
 * isn't there any more. An element that is there from the beginning doesn't.
 */
export function useFocusAfter<E extends HTMLElement>(isDone: boolean): RefObject<E | null> {
  const element = useRef<E>(null);
  const wasDone = useRef(isDone);
  useEffect(() => {
    if (isDone && !wasDone.current) element.current?.focus();
    wasDone.current = isDone;
  }, [isDone]);
  return element;
}
