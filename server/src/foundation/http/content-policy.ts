/** Local address of the desktop app that opened the page: the query contains its port, in hexadecimal. */
export function appBeside(query: unknown): string[] {
  const { from_source: source, port } = query as Record<string, unknown>;
  const number = typeof port === 'string' && /^[\da-f]{1,4}$/i.test(port) ? Number.parseInt(port, 16) : 0;
  return source === 'pc_client' && number > 0 ? [`http://127.0.0.1:${number}`] : [];
}

/**
 * Allows framing only by the administrator's chosen sites, and running only our own scripts; blobs and media
 * are loaded from our own links.
 */
export function contentPolicy(
  nonce: string,
  { origins, beside, framedBy }: Record<'origins' | 'beside' | 'framedBy', readonly string[]>,
): string {
  const api = ["'self'", ...origins].join(' ');
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src ${[api, ...beside].join(' ')}`,
    `frame-src ${api}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${["'self'", ...framedBy].join(' ')}`,
  ].join('; ');
}
