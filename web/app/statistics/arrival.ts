/** How this document was come to. Its address changes while it lives; what is asked later is asked about the first. */
export const arrival =
  typeof document === 'undefined'
    ? { search: '', referrer: '' }
    : { search: location.search, referrer: document.referrer };
