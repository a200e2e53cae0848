let holders = 0;

/**
 * Keeps the page from scrolling under a modal, without the layout shift of a disappearing scrollbar. Returns the
 * release.
 */
export function lockScroll(): () => void {
  const { documentElement: html } = document;
  if (holders === 0) {
    const bar = window.innerWidth - html.clientWidth;
    html.style.overflow = 'hidden';
    html.style.paddingInlineEnd = `${bar}px`;
  }
  holders += 1;
  return () => {
    holders -= 1;
    if (holders > 0) return;
    html.style.removeProperty('overflow');
    html.style.removeProperty('padding-inline-end');
  };
}
