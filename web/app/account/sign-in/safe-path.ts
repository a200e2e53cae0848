/**
 * Returns the requested path if it is on this site, otherwise `fallback`. Input that a browser would resolve
 * to another origin (`//evil`, `/\evil`, `https:…`, hidden tabs and newlines) is detected by resolving it as
 * a browser does.
 */
export function safePath(asked: string | null | undefined, fallback: string): string {
  if (!asked?.startsWith('/')) return fallback;
  const base = 'https://own.invalid';
  let url: URL;
  try {
    url = new URL(asked, base);
  } catch {
    return fallback;
  }
  const path = url.pathname + url.search + url.hash;
  // Parsing turns `/.//evil` into `//evil`.
  return url.origin === base && !path.startsWith('//') && !path.startsWith('/\\') ? path : fallback;
}
