import type { PageParameter } from './page-query.ts';

/** What addresses say once for as long as a tab is open. */
export type TabParameter = Extract<PageParameter, 'hide_header' | 'origin'>;

/**
 * Keeps it, and leaves the bars of the site away where that was asked. It also stands in the page as a script of its own
 * that runs before anything is drawn; so it knows nothing but what is in it.
 */
export function keepForTab(): void {
  const query = new URLSearchParams(location.search);
  let isBare = query.get('hide_header') === '1';
  try {
    for (const name of ['hide_header', 'origin']) {
      const value = query.get(name);
      if (value !== null) sessionStorage.setItem(`pp_${name}`, value);
    }
    isBare = sessionStorage.getItem('pp_hide_header') === '1';
  } catch {
    // A tab that keeps nothing knows what its address says.
  }
  document.documentElement.toggleAttribute('data-bare', isBare);
}

/** Where the tab keeps it. */
export const TAB_KEYS: readonly string[] = ['pp_hide_header', 'pp_origin'];

/** What an address of this tab said last. */
export function saidInTab(parameter: TabParameter): string {
  try {
    return sessionStorage.getItem(`pp_${parameter}`) ?? '';
  } catch {
    return new URLSearchParams(location.search).get(parameter) ?? '';
  }
}
