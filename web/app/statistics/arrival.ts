/**
 * Address and referrer with which this document was opened. The address changes while the document is open;
 * later code needs the first one.
 */
export const arrival =
  typeof document === 'undefined'
    ? { search: '', referrer: '' }
    : { search: location.search, referrer: document.referrer };
