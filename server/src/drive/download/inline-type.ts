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
/** Types that browsers would execute if they were sent with their own; never shown inline. */
const PROGRAMS = new Set(['text/html', 'application/xml', 'image/svg+xml']);

/**
 * Returns the content type for showing a file in a browser, or undefined if it may only be downloaded. No type in
 * this list can execute anything: formats with scripts (SVG, HTML, XML) are excluded, and all other text is plain
 * text.
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

/** Returns the type of images, audio and video only: used even if the file is only to be downloaded. */
export function playedType(name: string): string | undefined {
  const type = inlineType(name);
  return type !== undefined && /^(?:image|video|audio)\//.test(type) ? type : undefined;
}

/** Bytes of a file that suffice to verify its type. */
export const PROOF_BYTES = 1024;

/** Returns false if a file's first bytes contradict the type that it would be shown as. */
export function provesType(type: string, head: Uint8Array): boolean {
  return type !== PDF || Buffer.from(head).includes('%PDF-');
}

/** Uploaded content has no origin, scripts or requests of its own, even if it is opened directly. */
export const CONTENT_POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";
