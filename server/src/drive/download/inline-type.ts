import { categoryOf, mimeOf } from '@bowerbird/contract';

const IMAGES = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
]);
const PDF = 'application/pdf';
/** Documents that browsers would run, were it not for the type that they get; better not shown at all. */
const PROGRAMS = new Set(['text/html', 'application/xml', 'image/svg+xml']);

/**
 * The type under which a file may show itself in a browser, or undefined where it may only be saved. Nothing on this
 * list can run anything: what has scripts (SVG, HTML, XML) isn't here, and all other text is plain text.
 */
export function inlineType(name: string): string | undefined {
  const mime = mimeOf(name);
  if (IMAGES.has(mime) || mime === PDF || /^(?:video|audio)\//.test(mime)) return mime;
  if (PROGRAMS.has(mime)) return undefined;
  const category = categoryOf(name);
  return category === 'text' || category === 'code' || mime.startsWith('text/')
    ? 'text/plain; charset=utf-8'
    : undefined;
}

/** The type of what is seen or heard, and of nothing else: also where the file is only to be saved. */
export function playedType(name: string): string | undefined {
  const type = inlineType(name);
  return type !== undefined && /^(?:image|video|audio)\//.test(type) ? type : undefined;
}

/** How much of a file shows whether it is what it says. */
export const PROOF_BYTES = 1024;

/** False where a file's first bytes contradict the type that it would be shown as. */
export function provesType(type: string, head: Uint8Array): boolean {
  return type !== PDF || Buffer.from(head).includes('%PDF-');
}

/** Even shown alone, nothing that was uploaded has an origin, a script or a request of its own. */
export const CONTENT_POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";
