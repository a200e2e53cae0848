import type { PageParameter } from './page-query.ts';

/** Parameters that stay in effect for as long as the tab is open. */
export type TabParameter = Extract<PageParameter, 'hide_header' | 'origin'>;

/**
 * Stores them, and hides the site's header and footer if asked to. The function is also inlined into the page
 * as a script that runs before the first paint, so it must be self-contained.
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
    // Without storage, only the current address counts.
  }
  document.documentElement.toggleAttribute('data-bare', isBare);
}

/** Keys in the tab's session storage. */
export const TAB_KEYS: readonly string[] = ['pp_hide_header', 'pp_origin'];

/** Returns the latest value that an address of this tab contained. */
export function saidInTab(parameter: TabParameter): string {
  try {
    return sessionStorage.getItem(`pp_${parameter}`) ?? '';
  } catch {
    return new URLSearchParams(location.search).get(parameter) ?? '';
  }
}
