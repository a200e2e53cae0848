// Characters that encodeURIComponent leaves unencoded although RFC 8187 requires it.
const LEFT_BY_URI = /['()*!]/g;

/**
 * Header value for a name with any characters: a quoted ASCII form for old clients, the name itself for the
 * others. No name can inject into the header.
 */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%/]/gu, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    LEFT_BY_URI,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Headers of a file that belongs to somebody, and that browsers save instead of showing it. */
export const attachment = (type: string, name: string): Readonly<Record<string, string>> => ({
  'content-type': type,
  'content-disposition': contentDisposition('attachment', name),
  'cache-control': 'private, no-store',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
});
