/**
 * The path of our own site that a parameter asks to go to, or `fallback`. What a browser would resolve to another origin
 * (`//evil`, `/\evil`, `https:…`, hidden tabs and newlines) is decided by resolving it as a browser does.
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
  // After parsing, `/.//evil` is `//evil`.
  return url.origin === base && !path.startsWith('//') && !path.startsWith('/\\') ? path : fallback;
}
