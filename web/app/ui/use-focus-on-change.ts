import { useEffect, useRef, type RefObject } from 'react';

/**
 * Returns a reference to an element that gets the focus when a value changes, because the button that changed it isn't
 * there any more. The first value doesn't move the focus.
 */
export function useFocusOnChange<E extends HTMLElement>(value: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  const previous = useRef(value);
  useEffect(() => {
    if (value !== previous.current) element.current?.focus();
    previous.current = value;
  }, [value]);
  return element;
}
