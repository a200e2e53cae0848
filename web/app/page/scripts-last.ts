const PRELOAD = '<link rel="modulepreload"';

/**
 * Lowers the priority of a page's script preloads, so that its styles and text load first: the page must be
 * readable before it becomes interactive, and the router has no option for the priority of its preloads.
 */
export const scriptsLast = (html: string): string =>
  html.replaceAll(PRELOAD, `${PRELOAD} fetchpriority="low"`);
